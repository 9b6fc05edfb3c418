"""Ratios against other programs, each in the same run on the same machine: absolute figures drift, ratios hold."""
