"""Listing sources with yt-dlp: one lazy pass, and never a part of a list taken for the whole."""
