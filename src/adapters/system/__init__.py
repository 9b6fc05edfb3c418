"""The real clock, chance and names: the one place that touches them."""
