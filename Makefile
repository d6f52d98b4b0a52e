# The two commands of the README are `make run` and `make test`; everything else is for working on manhunt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check --constraint constraints.txt
FAST ?= -n auto
ONLY ?= tests

.DEFAULT_GOAL := help
.PHONY: help run test test-long check bench golden format kernels wheel check-wheel lock audit test-plain test-checked clean

help:            ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

$(RUNTIME): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "manhunt needs Python 3.11 or newer; set PYTHON=..." >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "installing manhunt into $(VENV) (once, about half a minute)"
	@$(PIP) --editable .
	@touch $@

$(READY): $(RUNTIME)
	@echo "installing what the tests need (once, about a minute)"
	@$(PIP) --editable '.[test]'
	@touch $@

run: $(RUNTIME)  ## start the product
	@$(BIN)/manhunt

test: $(READY)   ## run all tests
	@$(BIN)/pytest $(FAST)

test-long: $(READY)     ## all tests with many more examples
	@HYPOTHESIS_EXAMPLES=500 $(BIN)/pytest $(FAST)

test-plain: $(READY)    ## the kernels' tests without compilation
	@NUMBA_DISABLE_JIT=1 HYPOTHESIS_EXAMPLES=10 $(BIN)/pytest $(FAST) -m kernel

test-checked: $(READY)  ## the kernels' tests compiled with bounds checks
	@NUMBA_BOUNDSCHECK=1 HYPOTHESIS_EXAMPLES=20 $(BIN)/pytest $(FAST) -m kernel $(ONLY)

check: $(READY)  ## ruff, mypy --strict, import directions
	@$(BIN)/ruff check src tests benchmarks examples packaging
	@$(BIN)/ruff format --check --quiet src tests benchmarks examples packaging
	@$(BIN)/mypy
	@$(BIN)/pytest tests/project/test_layers.py

# Not here, because they take long: belief_models (fits), mcts_ablation, minimax_tuning, fugitive_reference_matrix and
# fugitive_deterministic_pair (thousands of games), shortest_path_contest, tournament_acceptance (some ten minutes),
# web_killed and web_leaks (drills of some minutes).
BENCHES := solve_all_starts solve_one_start scotland_yard_playouts \
	scotland_yard_random_play belief_update mcts_iterations arena_speed shortest_path_exact \
	fugitive_playouts fugitive_belief bot_protocol tournament_speed deal_variance web_load web_first_paint

bench: $(READY)  ## the measurements behind our figures (some minutes)
	@for name in $(BENCHES); do echo "== $$name"; $(BIN)/python benchmarks/$$name.py || exit 1; done

golden: $(READY) ## write the golden transcripts anew; review them as a diff
	@PYTHONPATH=tests/support $(BIN)/python tests/golden/write.py

format: $(READY) ## format the sources
	@$(BIN)/ruff format src tests benchmarks examples packaging
	@$(BIN)/ruff check --fix src tests benchmarks examples packaging

kernels: $(READY) ## measure anew what each topic of `manhunt warm` compiles (some minutes)
	@$(BIN)/python packaging/measure_kernels.py

wheel: $(READY)  ## build the pure wheel, and one with compiled kernels for this platform, into dist/ (some minutes)
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@$(BIN)/python packaging/platform_wheel.py dist/manhunt-*-py3-none-any.whl

check-wheel: wheel ## install the platform wheel elsewhere; no command of the README may compile anything
	@$(BIN)/python packaging/check_wheel.py dist/manhunt-*-cp*.whl

lock: $(RUNTIME) ## choose the newest versions of all dependencies and write them to constraints.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@$(BIN)/uv pip compile pyproject.toml --all-extras --universal --python-version 3.11 --upgrade --quiet \
		--no-annotate --custom-compile-command "make lock" --output-file constraints.txt

audit: $(READY)  ## known vulnerabilities of the locked versions, where a database can be reached
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check pip-audit
	@$(BIN)/python packaging/audit.py constraints.txt

clean:           ## remove the environment and caches
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
