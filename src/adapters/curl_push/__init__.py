"""Requests sent with libcurl, whose transfers run on the event loop."""
