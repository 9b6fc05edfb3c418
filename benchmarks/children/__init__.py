"""Programs that are measured, each in a process of its own: arguments on the command line, figures on stdout."""
