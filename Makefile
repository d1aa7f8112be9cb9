# Two commands do everything: `make run` and `make test`. The rest is for those who work on the code.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# Compiled once: the tests' workers, and the fifty bots that they start, would each compile everything for themselves.
unexport PYTHONDONTWRITEBYTECODE
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes

.PHONY: help install run test check compiled tests gold gallery fuzz bench strength chaos load clean

help:
	@echo "make run      start the bot (without tokens: a chat page on this machine)"
	@echo "make install  set everything up for make run, and start nothing"
	@echo "make test     everything that must hold: tests, ruff, mypy"
	@echo "make gold     write the golden games and pictures anew (then read the diff)"
	@echo "make gallery  paint all that is drawn into gallery.png"
	@echo "make fuzz     give every reader anything, for as long as FUZZ_EXAMPLES says"
	@echo "make bench    measure, against named peers"
	@echo "make strength measure how well the house plays, for hours"
	@echo "make chaos    kill bots and stores under play, and look whether anything was lost; seven minutes"
	@echo "make load     measure with 1,000, 10,000 and 100,000 running tables; eleven minutes (LOAD='--tables 10000')"

install: $(VENV)/.run

run: $(VENV)/.run
	@exec $(BIN)/python -m bot

# While mypy reads on one core, the tests are compiled on another: else each of their workers would do it for itself.
test:
	@$(MAKE) --no-print-directory -j 2 check compiled
	@$(MAKE) --no-print-directory tests

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings bot
	$(BIN)/oxfmt --check bot/adapters/on_web/page
	$(BIN)/mypy

compiled: $(VENV)/.dev
	@$(BIN)/python -m pytest --collect-only -q >/dev/null || true  # what is wrong, the tests tell

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

bench: $(VENV)/.bench
	$(BIN)/python -m bench

# An older Python would leave a folder behind in which a newer one does not work either: it is asked before.
$(VENV)/.run: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	"Python 3.11 or newer is needed. If you have one by another name: make run PYTHON=python3.13")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) -r constraints.txt
	@touch $@

$(VENV)/.dev: constraints-dev.txt $(VENV)/.run
	$(PIP) -r constraints-dev.txt
	@touch $@

$(VENV)/.bench: constraints-bench.txt $(VENV)/.run
	$(PIP) -r constraints-bench.txt
	@touch $@

clean:
	rm -rf $(VENV) gallery.png .mypy_cache .ruff_cache .pytest_cache .hypothesis
