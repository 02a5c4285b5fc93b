# `make run` serves matches, `make test` runs all tests. Both install what they need into .venv/ first.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip
QUIETLY := --quiet --disable-pip-version-check
TESTED := locks/test.txt
JOBS   ?= auto
ROUNDS ?= 5
RULES  := $(wildcard tests/games/*/test_*.py) tests/odds tests/match $(patsubst %,tests/mechanics/test_%.py,laws questions records rules) src/oddsmith/games src/oddsmith/odds

# Setup must not run twice at a time, and the test runner uses all cores itself. Checks that use one core each run side by side,
# once everything is installed.
SIDE_BY_SIDE := $(MAKE) --no-print-directory --jobs=2 --output-sync=target INSTALLED=1
ifndef INSTALLED
.NOTPARALLEL:
endif
.PHONY: run heist web docs check test lint types layers pages page-types page-tests unit coverage browser-tests browser bench chaos prove wheel sbom audit lock licences oldest newest clean help
.DEFAULT_GOAL := help

help:  ## List the targets.
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1	/' | expand -t 14

run: $(VENV)/.installed web  ## Serve matches at the address that is printed; Ctrl-C ends it, matches are stored in oddsmith.db.
	@$(BIN)/oddsmith serve

heist: $(VENV)/.installed  ## Rob a bank: draw a hand, print its score and the exact odds.
	@$(BIN)/oddsmith destiny check bank_robbery --outlaw calamity_rose --odds

web: $(BIN)/python  ## Build the pages of the browser client, if their sources in web/ have changed.
	@$(call NODE)
	@$(BIN)/python hatch_build.py

docs: $(VENV)/.documented  ## Build the documentation as a site, which the server has at /docs; a broken link fails the build.
	@echo "== documentation"
	@$(BIN)/python hatch_build.py docs

check: $(VENV)/.tested web  ## Lint, types, import layers, and the tests that the uncommitted change touches, or that of the last commit; takes a minute.
	@$(SIDE_BY_SIDE) types lint layers docs
	@echo "== tests that the change touches"
	@$(BIN)/python tools/affected_tests.py $(if $(BASE),--base $(BASE))

test: $(VENV)/.tested .venv/.generators .venv/.supply web browser  ## Lint, types, import layers, the browser client, the documentation, unit tests, documentation examples, games in a browser.
	@$(SIDE_BY_SIDE) types page-types page-tests lint layers docs
	@$(MAKE) --no-print-directory unit browser-tests

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

pages: page-types page-tests

page-types: $(VENV)/.tested web
	@echo "== types of the browser client"
	@$(call NODE,npm)
	@$(BIN)/oddsmith serve --openapi > web/openapi.json
	@$(BIN)/python hatch_build.py npm run --silent types >/dev/null
	@$(BIN)/python hatch_build.py npm run --silent check

page-tests: $(VENV)/.tested web
	@echo "== tests of the browser client"
	@$(call NODE,npm)
	@$(BIN)/python hatch_build.py npm run --silent test

# Fails if a branch of the rules, odds or questions is not covered by tests other than sweeps; `make coverage` measures all code.
unit: $(VENV)/.tested .venv/.generators .venv/.supply web docs
	@echo "== unit tests of rules and odds, with branch coverage"
	@$(BIN)/pytest -n $(JOBS) --dist worksteal $(RULES) -m "not sweep" --cov=oddsmith.games --cov=oddsmith.odds --cov-config=tests/rules-coverage.toml --cov-report=term --cov-fail-under=100
	@echo "== sweeps of rules and odds, unit tests of everything else, and documentation examples"
	@$(BIN)/pytest -n $(JOBS) --dist worksteal $(addprefix --only-sweeps-of=,$(RULES))

coverage: $(VENV)/.tested .venv/.generators .venv/.supply web docs  ## Run all unit tests, and list the branches that none of them covers.
	@$(BIN)/pytest -n $(JOBS) --dist worksteal --cov --cov-report=term --cov-fail-under=95

browser-tests: $(VENV)/.tested web docs browser
	@echo "== games in a real browser"
	@$(BIN)/pytest tests/web -n $(JOBS) --dist worksteal

browser:
	@if [ -n "$$ODDSMITH_BROWSER" ]; then \
	  command -v "$$ODDSMITH_BROWSER" >/dev/null || { echo "error: ODDSMITH_BROWSER names no program: '$$ODDSMITH_BROWSER'" >&2; exit 2; }; \
	elif { command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "== installing Chromium for the browser tests"; \
	  apt-get -qq update && { apt-get -qq install -y --no-install-recommends chromium-headless-shell || \
	    apt-get -qq install -y --no-install-recommends chromium; } >/dev/null; \
	else \
	  echo "error: the browser tests need Chromium: install it, or name one: make ODDSMITH_BROWSER=/opt/chrome …" >&2; \
	  exit 2; \
	fi

bench: $(VENV)/.benched web browser  ## Run the benchmarks: ratios to peers and floors measured in the same run; AREAS="destiny duel" runs some.
	@$(BIN)/python -m bench.run $(AREAS)

chaos: $(VENV)/.tested  ## Kill real servers, race, fuzz, stall and load them; takes more than an hour.
	@$(BIN)/python -W ignore -m chaos

prove: $(VENV)/.tested .venv/.generators .venv/.supply web docs  ## What takes too long for make test: many more random examples and games, make chaos, and mutation testing; takes hours.
	@echo "== properties, with more examples, $(ROUNDS) times"
	@for round in $$(seq $(ROUNDS)); do HYPOTHESIS_PROFILE=long $(BIN)/pytest -q -n $(JOBS) --dist worksteal -m hypothesis || exit 1; done
	@echo "== laws of every game and preset, with more games"
	@HYPOTHESIS_PROFILE=long $(BIN)/pytest -q -n $(JOBS) --dist worksteal tests/mechanics/test_laws.py
	@echo "== chaos"
	@$(BIN)/python -W ignore -m chaos
	@echo "== mutation testing"
	@$(BIN)/python tools/mutation.py $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT))

# Every file in the wheel has the time of the last commit: a commit gives the same bytes whenever and wherever it is built.
wheel: $(VENV)/.tested web docs  ## Build the wheel, reproducibly, into dist/, and print its digest.
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct)} $(BIN)/python -m hatchling build --target wheel >/dev/null
	@sha256sum dist/*.whl

sbom: $(VENV)/.tested .venv/.supply  ## Write the bills of materials, as CycloneDX JSON, into dist/.
	@$(call NODE,npm)
	@PYTHONPATH=. $(BIN)/python tools/sbom.py dist

audit: $(VENV)/.tested .venv/.supply  ## Ask for known vulnerabilities of all locked packages; error 1: there are some, error 3: not all could be checked.
	@$(call NODE,npm)
	@PYTHONPATH=. $(BIN)/python tools/audit.py

# A lock has the files of all platforms and of each supported Python. Versions stay as they are, unless pyproject.toml forbids them or
# UPGRADE=1 asks for the newest; then each lock prefers the versions of locks/test.txt, which are the tested ones.
COMPILE := .venv/supply/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"
WHEELS  := --only-binary :all:
EVERY   := pyproject.toml --all-extras
WITH_TOOLS := $(EVERY) --group test --group docs

lock: .venv/.supply  ## Lock all dependencies again, with hashes; UPGRADE=1 takes the newest versions.
	@$(COMPILE) $(WHEELS) $(if $(UPGRADE),--upgrade) $(WITH_TOOLS) --output-file locks/test.txt
	@$(if $(UPGRADE),for name in bench build docs generators node oldest runtime serve supply; do cp locks/test.txt locks/$$name.txt; done)
	@$(COMPILE) $(WHEELS) $(EVERY) --output-file locks/runtime.txt
	@$(COMPILE) $(WHEELS) pyproject.toml --extra client --extra postgres --extra serve --output-file locks/serve.txt
	@for name in build docs generators node supply; do $(COMPILE) $(WHEELS) --group $$name --output-file locks/$$name.txt || exit; done
	@$(COMPILE) --group bench --output-file locks/bench.txt
	@$(COMPILE) --no-deps --no-header --resolution lowest-direct $(EVERY) --output-file .venv/lowest.txt
	@$(COMPILE) $(WHEELS) --no-annotate --constraint .venv/lowest.txt $(WITH_TOOLS) --output-file locks/oldest.txt

licences: $(VENV)/.tested  ## Write the page of licences for the locked packages.
	@$(BIN)/python tools/licences.py

# The documentation is built before, because it is part of the wheel, which has to come from the locked tools.
oldest: docs  ## Run the unit tests with the lowest versions that pyproject.toml allows, in .venv-oldest/; needs Python 3.11 or 3.12.
	@$(MAKE) --no-print-directory VENV=.venv-oldest TESTED=locks/oldest.txt unit

newest: .venv/.supply docs  ## Run the unit tests with the newest versions that there are, in .venv-newest/.
	@$(COMPILE) $(WHEELS) --upgrade $(WITH_TOOLS) --output-file .venv/newest.txt
	@$(MAKE) --no-print-directory VENV=.venv-newest TESTED=.venv/newest.txt unit

clean:  ## Remove installed packages, built pages, built documentation and caches; matches in oddsmith.db stay.
	rm -rf .venv .venv-oldest .venv-newest src/oddsmith/pages src/oddsmith/site web/node_modules .mypy_cache .ruff_cache .hypothesis .import_linter_cache .test_cache .test_durations.json .coverage*

# A file whose hash is not in the lock is refused, and nothing but oddsmith is built from sources.
LOCKED   := install $(QUIETLY) --require-hashes --only-binary :all:
EDITABLE := install $(QUIETLY) --no-deps --no-build-isolation --editable .
NODE      = [ -z "$$($(BIN)/python hatch_build.py $(1) needs)" ] || $(PIP) $(LOCKED) -r locks/node.txt

$(BIN)/python:
	@echo "== creating a private environment in $(VENV)/"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: oddsmith needs Python 3.11 or newer; name one: make PYTHON=python3.12 …" >&2; exit 2; }
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) $(LOCKED) -r locks/build.txt

$(VENV)/.installed: pyproject.toml locks/build.txt locks/serve.txt $(BIN)/python
	@echo "== installing oddsmith"
	@$(PIP) $(LOCKED) -r locks/build.txt -r locks/serve.txt
	@$(call NODE)
	@$(PIP) $(EDITABLE)
	@touch $@

$(VENV)/.tested: pyproject.toml $(TESTED) $(BIN)/python
	@echo "== installing oddsmith with its test tools"
	@$(PIP) $(LOCKED) -r $(TESTED)
	@$(call NODE)
	@$(PIP) $(EDITABLE)
	@touch $@ $(VENV)/.installed $(VENV)/.documented

$(VENV)/.documented: locks/docs.txt $(BIN)/python
	@echo "== installing the tools of the documentation"
	@$(PIP) $(LOCKED) -r locks/docs.txt
	@touch $@

# In separate environments: their versions would conflict with those that oddsmith is tested with.
.venv/.generators .venv/.supply: .venv/.%: locks/%.txt $(BIN)/python
	@echo "== installing the tools of the group $* into .venv/$*/"
	@$(PYTHON) -m venv --clear --without-pip .venv/$*
	@$(PIP) --python .venv/$* $(LOCKED) -r locks/$*.txt
	@touch $@

# The only peer that has no wheel is built from sources.
$(VENV)/.benched: locks/bench.txt $(VENV)/.tested
	@echo "== installing the peers of the benchmarks"
	@$(PIP) install $(QUIETLY) --require-hashes -r locks/bench.txt && touch $@ || echo "some peers cannot be installed here: the benchmark output names them"
