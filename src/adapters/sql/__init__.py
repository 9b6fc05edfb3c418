"""The coordination store in a SQL database: SQLite for one machine, PostgreSQL for many. One adapter for both."""
