"""The catalogue, the pictures and the run directory. Importing this package loads nothing heavy."""
