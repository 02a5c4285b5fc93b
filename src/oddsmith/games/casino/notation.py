"""A move is one short line: `0 7♦x7♠`, `1 4♠+5♦=9`, `0 3♠>[2♥4♦]`, `1 K♠&Q♠`, `0 8♥`; a deal is `* …` hand by hand.

Builds stand in brackets, by their cards.
"""
