"""Reliability tests: real servers are killed, raced and fuzzed, and their logs and replies are checked."""
