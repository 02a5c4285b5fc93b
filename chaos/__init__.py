"""The programme of reliability: real servers are killed, raced and fed nonsense, and must keep every promise."""
