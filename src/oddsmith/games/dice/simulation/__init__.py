"""Simulations of rounds and runs of Dice Hands on the engine."""
