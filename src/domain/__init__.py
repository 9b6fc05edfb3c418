"""The rules of shared work, as pure values and functions.

Nothing here reads a clock, draws a random number, or talks to anything: time comes in as an aware
``datetime``, randomness as a float in [0, 1). What the world does with a decision is the adapters' affair.
"""
