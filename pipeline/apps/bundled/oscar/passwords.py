"""Passwords of the seeded users: the database names the user, the word itself stands in TASKSIEVE_PASSWORDS.

So the seeded rows are the same whatever the passwords are, and a password that is changed later is kept as usual.
"""

import hashlib
import json
import os
from functools import lru_cache

from django.contrib.auth.hashers import PBKDF2PasswordHasher, mask_hash
from django.utils.crypto import constant_time_compare


@lru_cache(maxsize=1)
def given():
    """Passwords by user; empty outside an instance."""
    path = os.environ.get("TASKSIEVE_PASSWORDS")
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def secret_key():
    """A key that lasts as long as the passwords do: sessions of the template hold in every instance of it."""
    return hashlib.sha256(json.dumps(given(), sort_keys=True).encode()).hexdigest()


def seeded(user):
    """What is kept for a user whose password is given from outside."""
    return f"{SeededHasher.algorithm}$given${user}"


class SeededHasher(PBKDF2PasswordHasher):
    """Hashes new passwords as usual, though quicker; knows seeded ones by the user's name."""

    algorithm = "seeded"
    iterations = 1000  # nobody attacks this data, and every second of signing in is waited for

    def verify(self, password, encoded):
        kind, _, user = encoded.removeprefix(f"{self.algorithm}$").partition("$")
        if kind != "given":
            return super().verify(password, encoded)
        wanted = given().get(user, "")
        return bool(wanted) and constant_time_compare(wanted, password)

    def must_update(self, encoded):
        return False

    def harden_runtime(self, password, encoded):
        """Nothing to make slower."""

    def safe_summary(self, encoded):
        return {"algorithm": self.algorithm, "hash": mask_hash(encoded)}
