"""The law of the repository: what `./astrolabe check` holds the sources to."""
