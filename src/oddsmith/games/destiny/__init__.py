"""The Destiny Deck."""
