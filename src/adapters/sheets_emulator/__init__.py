"""A Google Sheets v4 for development and tests, and as much of Drive v3 as finds, makes and shares spreadsheets.

Each layer knows only those below it, and the first three nothing of time, chance or networks:

- `wire`: field masks, the fields of messages, errors; `grid`: cells, tabs, ranges; `batch_update`: kinds of requests
- `api`: a method, a path and a body in, an answer out (`SheetsService`)
- `desk`: what stands before it: tokens (`access`), metering (`quota`), `faults`, counting
- `server` serves the desk over HTTP with a page for people; `client` is the genuine gspread, pointed at either
- `person`: edits of a person, to be scripted; `seed`: spreadsheets from a file
"""
