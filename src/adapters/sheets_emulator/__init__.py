"""A Google Sheets v4 (and as much of Drive v3 as finds, makes and deletes spreadsheets) for development and tests.

`core` modules are pure: a grid, ranges, requests. `service` answers a request without a network; `server` serves it.
"""
