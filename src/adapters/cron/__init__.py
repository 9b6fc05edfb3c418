"""Crontab schedules, reckoned by croniter."""
