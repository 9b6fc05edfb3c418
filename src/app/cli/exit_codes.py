"""What the process says as it ends."""

OK = 0
FAILURE = 1
MISUSE = 2
UNAVAILABLE = 3
INTERRUPTED = 130

EXIT_CODES = """
**Exit status:** 0 done (a worker that was stopped in good order included) · 1 failed, or nothing matched · 2 a wrong
argument or setting · 3 the store did not answer · 130 stopped at once by a second Ctrl-C.

**Settings** come from the environment and from a `.env` file: COORDINATION_URL (default sqlite:///mutirao.db),
WORKER_NAME, LEASE_TTL, MAX_ATTEMPTS and others; see the README.
"""
