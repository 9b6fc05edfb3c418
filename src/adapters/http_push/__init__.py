"""Requests sent with httpx's own connections (httpcore)."""
