# What README.md's commands call. Everything is set up in .venv; nothing else is touched but,
# where they are missing and we are root, the system's GL libraries.
SHELL := /bin/bash
BIN := .venv/bin
export MUJOCO_GL ?= egl
export LP_NUM_THREADS ?= 0
export RAY_USAGE_STATS_ENABLED := 0
# Without .pyc files each of the processes that the tests start compiles the package once more.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo lock test test-thorough test-fast test-whole test-cluster test-chaos coverage lint bench bench-limits site clean

setup: .venv/.ready

.venv/.ready: pyproject.toml setup.sh $(wildcard mirror_ray/locks/*.lock)
	./setup.sh dev
	@touch .venv/.runtime $@

# What playing needs alone.
.venv/.runtime: pyproject.toml setup.sh mirror_ray/locks/runtime.lock
	./setup.sh
	@touch $@

demo: .venv/.runtime
	$(BIN)/mirror-ray run quickstart

# Takes the newest versions that pyproject.toml allows, of everything.
lock: setup
	PATH="$(PATH):$(CURDIR)/.venv/bin" $(BIN)/python lock.py

# A browser, for tests/browser alone: the demo needs none.
.venv/.browser: tests/browser/install.sh | setup
	tests/browser/install.sh
	@touch $@

# A file is played by one worker, so that what a module's fixtures make is made once. Not loadgroup:
# with pytest 9.2 pytest-xdist 3.8 applies no group, and every test goes to any worker.
PLAY := $(BIN)/pytest --dist loadfile --no-loadscope-reorder

# Three workers on two cores: what starts a process waits, in which the others' tests run.
test: setup .venv/.browser
	$(PLAY) -n 3 -m "not hosts and not thorough"

# What `make test` leaves out. Beside each is written what is played in its place. Two workers, since
# most of it starts several processes, some of which are to be found hanging.
test-thorough: setup .venv/.browser
	$(PLAY) -n 2 -m thorough

# Both, and every case of the exhaustive proofs, of which both play a part: more than an hour.
test-whole: setup .venv/.browser
	MIRROR_RAY_TESTS=whole $(PLAY) -n 2

# No process is started, nothing that takes long is run: for the minutes between two edits.
test-fast: setup
	$(BIN)/pytest -n 2 --dist loadfile --fast --no-processes --durations=0 --durations-min=5 -rfE

# Which lines `make test` executes, in every process that it starts; the page is in htmlcov/.
coverage: setup .venv/.browser
	$(PLAY) -n 2 -m "not hosts and not thorough" --cov --cov-report=term --cov-report=html

# `ray job submit` needs this extra on the hosts of a cluster.
.venv/.cluster: pyproject.toml mirror_ray/locks/cluster.lock | setup
	./setup.sh cluster
	@touch $@

test-cluster: setup .venv/.cluster
	$(BIN)/pytest -m hosts tests/cluster

test-chaos: setup
	$(BIN)/python tests/chaos/hundred_kills.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The documentation as pages, into site/.
site: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: setup
	$(BIN)/python benchmarks/render.py
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/providers.py
	@echo "make bench-limits measures rate limits: 25 minutes; all want cores that are otherwise idle"

bench-limits: setup
	$(BIN)/python benchmarks/limits.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache dist build htmlcov .coverage
