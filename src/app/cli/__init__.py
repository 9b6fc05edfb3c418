"""The command line: reads arguments, shows results. Everything that it does can be done from the library."""
