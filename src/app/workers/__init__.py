"""The loops of a worker. They know ports, domain and use cases, never an adapter."""
