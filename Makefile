# Every target does its own set-up; `make check` is what CI runs.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
DEV := $(VENV)/.dev
LIVE := $(VENV)/.live

.PHONY: demo demo-live test check lint types layers docs own bench clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(CORE): $(BIN)/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	touch $@

$(DEV): $(CORE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

$(LIVE): $(CORE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[probes]'
	touch $@

demo: $(CORE)  ## the whole path on real inputs, core packages only
	$(BIN)/ledger demo

demo-live: $(LIVE)  ## the same, with a small model timed live
	$(BIN)/ledger demo

test: $(DEV)  ## the fast suite
	$(BIN)/python -m pytest -q -n auto

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV)
	$(BIN)/mypy

layers: $(DEV)
	$(BIN)/lint-imports

docs: $(DEV)  ## write the generated parts of the documentation
	$(BIN)/python scripts/cli_reference.py
	$(BIN)/ledger render

own: $(DEV)  ## this repository's own ledger and documents
	$(BIN)/python scripts/cli_reference.py --check
	$(BIN)/ledger render --check
	$(BIN)/ledger verify
	$(BIN)/ledger audit
	$(BIN)/ledger probe selftest

check: lint types layers test own

bench: $(DEV)  ## benchmarks: ratios in one run, never part of a test
	for bench in tests/bench/bench_*.py; do $(BIN)/python $$bench || exit 1; done

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
