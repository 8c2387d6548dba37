# Everything is installed into .venv; nothing is installed again while pyproject.toml is unchanged.
PYTHON ?= python3
COUNT ?= 20
SEED ?= 7

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check --no-input
SIEVE := $(BIN)/tasksieve

.PHONY: help demo test check clean

help:
	@echo "make demo    install everything and generate $(COUNT) tasks on the bundled Trac"
	@echo "make test    install what the tests need, and run them"
	@echo "make check   lint, types, import layers, start-up time"
	@echo "make clean   remove the environment and caches; what is in runs/ stays"

# A short exploration, a sixth of the usual one.
demo: $(VENV)/.installed $(VENV)/.browser
	@$(SIEVE) apps install trac
	@$(SIEVE) generate trac --count $(COUNT) --seed $(SEED) --explore-actions 250

test: $(VENV)/.installed-dev $(VENV)/.browser
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

check: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest tests/cli/test_startup.py

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || \
	  { echo "There is no '$(PYTHON)': install Python 3.11 or newer, or name one: make PYTHON=/path/to/python." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "'$(PYTHON)' is older than Python 3.11: name a newer one, such as make PYTHON=python3.12." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's module venv is missing: install it (Debian, Ubuntu: apt-get install python3-venv)." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing tasksieve into $(VENV)."
	@$(PIP) --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "Installing tasksieve and its tools into $(VENV)."
	@$(PIP) --editable '.[dev]'
	@touch $(VENV)/.installed $@

$(VENV)/.browser: | $(VENV)/.installed
	@.ci/browser $(BIN)
	@touch $@
