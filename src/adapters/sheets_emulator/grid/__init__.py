"""Spreadsheets themselves: cells, tabs, ranges. Pure: no HTTP, no JSON of a request."""
