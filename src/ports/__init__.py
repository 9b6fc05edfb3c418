"""What the domain needs of the world, as signatures and promises. Adapters keep them; `ports.testing` checks."""
