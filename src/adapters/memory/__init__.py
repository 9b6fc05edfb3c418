"""Every port, in memory: for tests, demos and single-process use. Product code: it passes the same suites."""
