# `make run` serves matches, `make test` runs all tests. Both install what they need into .venv/ first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
JOBS   ?= auto
ROUNDS ?= 5
RULES  := $(wildcard tests/games/*/test_*.py) tests/odds tests/match $(patsubst %,tests/mechanics/test_%.py,laws questions records rules) src/oddsmith/games src/oddsmith/odds

# Setup must not run twice at a time, and the test runner uses all cores itself.
.NOTPARALLEL:
.PHONY: run heist web docs check test lint types layers pages unit coverage browser-tests browser bench chaos prove clean help
.DEFAULT_GOAL := help

help:  ## List the targets.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1	/' | expand -t 14

run: $(VENV)/.installed web  ## Serve matches at the address that is printed; Ctrl-C ends it, matches are stored in oddsmith.db.
	@$(BIN)/oddsmith serve

heist: $(VENV)/.installed  ## Rob a bank: draw a hand, print its score and the exact odds.
	@$(BIN)/oddsmith destiny check bank_robbery --outlaw calamity_rose --odds

web: $(BIN)/python  ## Build the pages of the browser client, if their sources in web/ have changed.
	@needs=$$($(BIN)/python hatch_build.py needs); [ -z "$$needs" ] || $(PIP) "$$needs"
	@$(BIN)/python hatch_build.py

docs: $(VENV)/.documented  ## Build the documentation as a site, which the server has at /docs; a broken link fails the build.
	@echo "== documentation"
	@$(BIN)/python hatch_build.py docs

check: lint types layers web docs  ## Lint, types, import layers, and the tests that the uncommitted change touches, or that of the last commit; takes a minute.
	@echo "== tests that the change touches"
	@$(BIN)/python tools/affected_tests.py $(if $(BASE),--base $(BASE))

test: lint types layers pages docs unit browser-tests  ## Lint, types, import layers, the browser client, the documentation, unit tests, documentation examples, games in a browser.

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

pages: $(VENV)/.tested web
	@echo "== the browser client"
	@needs=$$($(BIN)/python hatch_build.py npm needs); [ -z "$$needs" ] || $(PIP) "$$needs"
	@$(BIN)/oddsmith serve --openapi > web/openapi.json
	@$(BIN)/python hatch_build.py npm run --silent types >/dev/null
	@$(BIN)/python hatch_build.py npm run --silent check
	@$(BIN)/python hatch_build.py npm run --silent test

# Fails if a branch of the rules, odds or questions is not covered; `make coverage` measures all code.
unit: $(VENV)/.tested $(VENV)/.generators web docs
	@echo "== unit tests of rules and odds, with branch coverage"
	@$(BIN)/pytest -n $(JOBS) --dist worksteal $(RULES) --cov=oddsmith.games --cov=oddsmith.odds --cov-config=tests/rules-coverage.toml --cov-report=term --cov-fail-under=100
	@echo "== unit tests of everything else, and documentation examples"
	@$(BIN)/pytest -n $(JOBS) --dist worksteal $(addprefix --ignore=,$(RULES))

coverage: $(VENV)/.tested $(VENV)/.generators web docs  ## Run all unit tests, and list the branches that none of them covers.
	@$(BIN)/pytest -n $(JOBS) --dist worksteal --cov --cov-report=term --cov-fail-under=95

browser-tests: $(VENV)/.tested web docs browser
	@echo "== games in a real browser"
	@$(BIN)/pytest tests/web -n $(JOBS) --dist worksteal

browser:
	@if [ -n "$$ODDSMITH_BROWSER" ]; then \
	  command -v "$$ODDSMITH_BROWSER" >/dev/null || { echo "error: ODDSMITH_BROWSER names no program: '$$ODDSMITH_BROWSER'" >&2; exit 2; }; \
	elif { command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "== installing Chromium for the browser tests"; \
	  apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium >/dev/null; \
	else \
	  echo "error: the browser tests need Chromium: install it, or name one: make ODDSMITH_BROWSER=/opt/chrome …" >&2; \
	  exit 2; \
	fi

bench: $(VENV)/.benched web browser  ## Run the benchmarks: ratios to peers and floors measured in the same run; AREAS="destiny duel" runs some.
	@$(BIN)/python -m bench.run $(AREAS)

chaos: $(VENV)/.tested  ## Kill real servers, send them concurrent and malformed requests; takes 15 minutes.
	@$(BIN)/python -W ignore -m chaos

prove: $(VENV)/.tested .venv/.generators web docs  ## What takes too long for make test: many more random examples and games, make chaos, and mutation testing; takes hours.
	@echo "== properties, with more examples, $(ROUNDS) times"
	@for round in $$(seq $(ROUNDS)); do HYPOTHESIS_PROFILE=long $(BIN)/pytest -q -n $(JOBS) --dist worksteal -m hypothesis || exit 1; done
	@echo "== laws of every game and preset, with more games"
	@HYPOTHESIS_PROFILE=long $(BIN)/pytest -q -n $(JOBS) --dist worksteal tests/mechanics/test_laws.py
	@echo "== chaos"
	@$(BIN)/python -W ignore -m chaos
	@echo "== mutation testing"
	@$(BIN)/python tools/mutation.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

clean:  ## Remove installed packages, built pages, built documentation and caches; matches in oddsmith.db stay.
	rm -rf $(VENV) src/oddsmith/pages src/oddsmith/site web/node_modules .mypy_cache .ruff_cache .hypothesis .import_linter_cache .test_durations.json .coverage*

$(BIN)/python:
	@echo "== creating a private environment in $(VENV)/"
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
	@$(PIP) --editable '.[balance,client,dask,plot,postgres,serve,solve,sweep]' --group test --group docs
	@touch $@ $(VENV)/.installed $(VENV)/.documented

$(VENV)/.documented: pyproject.toml $(BIN)/python
	@echo "== installing the tools of the documentation"
	@$(PIP) --group docs
	@touch $@

# In a separate environment: their pinned versions would conflict with those that oddsmith is tested with.
$(VENV)/.generators: pyproject.toml $(BIN)/python
	@echo "== installing client generators into $(VENV)/generators/"
	@$(PYTHON) -m venv --clear --without-pip $(VENV)/generators
	@$(BIN)/python -m pip --python $(VENV)/generators install --quiet --disable-pip-version-check --group generators
	@touch $@

$(VENV)/.benched: $(VENV)/.tested
	@echo "== installing the peers of the benchmarks"
	@$(PIP) --group bench && touch $@ || echo "some peers cannot be installed here: the benchmark output names them"
