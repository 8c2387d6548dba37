"""Frozen values and pure functions. Nothing here reads a clock, a file, a socket or a random source of its own."""
