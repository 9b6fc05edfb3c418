"""`mutirao demo`: the main job, end to end, on one machine and in under a minute."""
