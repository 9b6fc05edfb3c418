"""The coordination store over a Google spreadsheet that people read and edit meanwhile.

Every row is found by its content, never by its number, and each session turns all that it has to say into one fenced
batchUpdate, whose answer shows it the head of the queue. `words` is the heart of it: the Status cell of a live row.
"""
