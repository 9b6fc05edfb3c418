"""What a batchUpdate may ask for: one small function a kind of request."""
