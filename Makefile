# Two commands: `make run` serves the product, `make test` proves it. Each sets itself up in .venv/ first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS   ?= auto

.PHONY: run heist test lint types layers unit bench chaos clean help
.DEFAULT_GOAL := help

help:  ## Say what can be made.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1	/' | expand -t 14

run: $(VENV)/.installed  ## Serve matches at the address that is printed; Ctrl-C ends it, and oddsmith.db keeps them.
	@$(BIN)/oddsmith serve

heist: $(VENV)/.installed  ## Rob a bank: a hand drawn, its whole score, and the exact odds it had.
	@$(BIN)/oddsmith destiny check bank_robbery --outlaw calamity_rose --odds

test: lint types layers unit  ## Lint, types, import layers, unit tests, documentation examples.

lint: $(VENV)/.tested
	@echo "== lint"
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(VENV)/.tested
	@echo "== types"
	@$(BIN)/mypy

layers: $(VENV)/.tested
	@echo "== import layers"
	@$(BIN)/lint-imports

unit: $(VENV)/.tested
	@echo "== unit tests and documentation examples"
	@$(BIN)/pytest -n $(JOBS) --cov --cov-report=term --cov-fail-under=95
	@$(BIN)/coverage report --include='src/oddsmith/games/*,src/oddsmith/odds/*' --fail-under=100

bench: $(VENV)/.benched  ## Print the bench: medians, and ratios against named peers in the same run.
	@$(BIN)/python -m bench.run

chaos: $(VENV)/.tested  ## Kill, race and feed nonsense to real servers; takes a quarter of an hour.
	@$(BIN)/python -W ignore -m chaos

clean:  ## Remove what was installed and what tools wrote; matches in oddsmith.db stay.
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis .import_linter_cache .coverage*

$(BIN)/python:
	@echo "== making a private environment in $(VENV)/"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: oddsmith needs Python 3.11 or newer; name one: make PYTHON=python3.12 …" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) --upgrade "pip>=25.1"

$(VENV)/.installed: pyproject.toml $(BIN)/python
	@echo "== installing oddsmith"
	@$(PIP) --editable '.[client,serve]'
	@touch $@

$(VENV)/.tested: pyproject.toml $(BIN)/python
	@echo "== installing oddsmith with its test tools"
	@$(PIP) --editable '.[client,plot,postgres,serve,solve]' --group test
	@touch $@ $(VENV)/.installed

$(VENV)/.benched: $(VENV)/.tested
	@echo "== installing the peers of the bench"
	@$(PIP) --group bench && touch $@ || echo "some peers cannot be installed here: the bench says which"
