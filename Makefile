# The whole life of the project. A bare `make` lists what there is.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PYTHON ?= python3
# Further arguments: `make run ARGS=--help`, `make test ARGS='tests/spec -k cards'`.
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check install --constraint constraints.txt
PINNED := pyproject.toml constraints.txt

# Three stamps: the environment, what dealproof needs to run, what its tests and checks need.
CREATED := $(VENV)/.created
RUNTIME := $(VENV)/.installed
DEV := $(VENV)/.installed-dev

.PHONY: help run test check lint bench wheel-check schema clean

help: ## List these targets
	@echo "dealproof: make TARGET [ARGS='...']"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(RUNTIME) ## Do the main job: check the rules, make and prove deals, write the reports
	@echo "dealproof run $(ARGS)"
	@$(BIN)/dealproof run $(ARGS)

test: $(DEV) ## Run the tests (a part of them: make test ARGS='tests/spec')
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal $(ARGS)

check: lint test ## Everything that has to hold: lint, format, types, walls, tests

lint: $(DEV) ## The quick part of check: lint, format, types, walls
	@echo "ruff: lint and format"
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet
	@echo "mypy --strict"
	@$(BIN)/mypy
	@echo "import-linter: the walls between the rooms"
	@$(BIN)/lint-imports --no-logo

bench: $(DEV) ## Run every benchmark in benchmarks/
	@shopt -s nullglob; found=(benchmarks/*.py); \
	if [ $${#found[@]} -eq 0 ]; then echo "benchmarks/ holds no benchmark" >&2; exit 1; fi; \
	for file in "$${found[@]}"; do echo "== $$file"; $(BIN)/python "$$file" $(ARGS); done

wheel-check: $(DEV) ## Build the wheel, install it in a bare environment, run it from another folder
	@$(BIN)/python tools/wheel_check.py

schema: $(RUNTIME) ## Write the JSON schemas of the YAML files anew
	@$(BIN)/dealproof schema --write

clean: ## Remove caches and build products (.venv stays)
	@rm -rf build dist *.egg-info
	@rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(CREATED):
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: no $(PYTHON) here; dealproof needs Python 3.11 or newer (make PYTHON=/path/to/python)" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $(PYTHON) is $$($(PYTHON) --version 2>&1); dealproof needs Python 3.11 or newer" \
	    "(make PYTHON=/path/to/python)" >&2; exit 1; }
	@echo "Making an environment in $(VENV) with $$($(PYTHON) --version) (a few seconds)"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# setuptools comes first and pinned, so that pip does not fetch another one to build with.
$(RUNTIME): $(CREATED) $(PINNED)
	@echo "Installing dealproof and what it runs on into $(VENV) (about a minute)"
	@$(PIP) setuptools
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(DEV): $(CREATED) $(PINNED)
	@echo "Installing dealproof with its test and lint tools into $(VENV) (about a minute)"
	@$(PIP) setuptools
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $(RUNTIME) $@
