# `make bindings VERSION=9.28.1` and `make test` set up their own environment in .venv; nothing else needs installing.
PYTHON ?= python3
VENV ?= .venv
VERSION ?= 9.28.1
JOBS ?= auto
LIBRARY ?=
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help environment bindings test lint types current bench docs clean

help:
	@echo "make bindings VERSION=9.28.1  fetch the headers, add them to the history, render generated/, verify, report"
	@echo "make test                     run the tests (no GPU needed)"
	@echo "make lint types current       ruff; mypy and pyright; generated/ is what the generator writes"
	@echo "make bench LIBRARY=PATH       print the project's figures; PATH is a libcudnn.so.9 (by default what load() finds)"
	@echo "make docs                     the documentation as a site in build/site"

environment: $(READY)

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "cudnnkit needs Python 3.10 or later; set PYTHON=python3.12, for example")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

bindings: $(READY)
	$(BIN)/cudnn-bindgen fetch $(VERSION)
	$(BIN)/cudnn-bindgen history --add $(VERSION)
	$(BIN)/cudnn-bindgen render
	$(BIN)/cudnn-bindgen history --table README.md
	$(BIN)/cudnn-bindgen verify $(VERSION)

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term:skip-covered

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy
	$(BIN)/pyright

current: $(READY)
	$(BIN)/cudnn-bindgen render --check

bench: $(READY)
	$(BIN)/python benchmarks/bindings.py $(if $(LIBRARY),--library $(LIBRARY))

# Its tools are no part of the tests' environment.
docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "build/site/index.html"

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage
