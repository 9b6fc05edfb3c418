"""The ports' promises, kept over real things. A folder for each; none knows of another, all are loaded lazily."""
