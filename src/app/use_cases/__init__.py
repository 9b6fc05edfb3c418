"""What can be done with shared work, one file each. They know ports and domain, never an adapter."""
