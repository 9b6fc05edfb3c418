"""The REST API's shapes: a method, a path and a body in, an answer out; without a network."""
