# The two commands of the README are `make run` and `make test`; everything else is for working on manhunt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
READY := $(VENV)/.ready
EXTRAS := $(VENV)/.extras
DOCS := $(VENV)/.docs
PIP := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check --constraint constraints.txt
# Half as many processes again as there are cores, because many tests wait for a browser or for another process.
CORES := $(shell getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)
FAST ?= -n $(shell expr \( $(CORES) \* 3 + 1 \) / 2)
ONLY ?= tests
RUNS ?= 3
KERNEL_TESTS = $(sort $(shell grep -rl --include='test_*.py' 'mark\.kernel' $(ONLY)))

.DEFAULT_GOAL := help
.PHONY: help run extras test test-long test-busy check bench pictures golden puzzles check-puzzles format kernels wheel check-wheel lock audit mutants \
	test-plain test-checked docs docs-long clean

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

$(EXTRAS): $(READY)
	@echo "installing the extras rl, learn, openspiel and docs, whose tests are skipped without them (once, some minutes)"
	@$(PIP) --editable '.[test,rl,learn,openspiel,docs]'
	@touch $@

$(DOCS): $(RUNTIME)
	@echo "installing what the documentation site is built with (once, some seconds)"
	@$(PIP) --editable '.[docs]'
	@touch $@

extras: $(EXTRAS) ## install what the tests of the site and of the adapters for reinforcement learning and OpenSpiel need

# Ctrl-C is the usual end, not an error. The shell gets the signal too, and must survive it to report success.
run: $(RUNTIME)  ## start the product
	@trap : INT; $(BIN)/manhunt || [ $$? -eq 130 ]

# Hundreds of processes start in the tests: they read bytecode from here, also where PYTHONDONTWRITEBYTECODE is set.
test test-long test-busy test-plain test-checked check: export PYTHONDONTWRITEBYTECODE :=
test test-long test-busy test-plain test-checked check: export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/bytecode

test: $(READY)   ## run all tests
	@$(BIN)/pytest $(FAST)

test-long: $(READY)     ## all tests with many more examples
	@HYPOTHESIS_EXAMPLES=500 $(BIN)/pytest $(FAST)

test-busy: $(READY)     ## all tests three times in a row beside four busy loops (RUNS=3, ONLY=tests)
	@trap 'kill $$loops' EXIT; trap 'exit 130' INT TERM; \
	for i in 1 2 3 4; do timeout 2h sh -c 'while :; do :; done' & loops="$$loops $$!"; done; \
	for run in $$(seq $(RUNS)); do echo "== run $$run of $(RUNS)"; $(BIN)/pytest $(FAST) $(ONLY) || exit 1; done

test-plain: $(READY)    ## the kernels' tests without compilation
	@NUMBA_DISABLE_JIT=1 HYPOTHESIS_EXAMPLES=10 $(BIN)/pytest $(FAST) -m kernel $(KERNEL_TESTS)

# The tests of one file use the same kernels: in one process these are compiled once, and sooner when optimised less.
test-checked: $(READY)  ## the kernels' tests compiled with bounds checks
	@NUMBA_BOUNDSCHECK=1 NUMBA_OPT=1 HYPOTHESIS_EXAMPLES=20 $(BIN)/pytest $(FAST) --dist loadfile -m kernel $(KERNEL_TESTS)

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

pictures: $(READY) ## take the pictures of the documentation again, and draw those of the home page (needs Chromium)
	@$(BIN)/python packaging/draw_pictures.py
	@$(BIN)/python packaging/make_pictures.py

golden: $(READY) ## write the golden transcripts and the pages of the bot protocol again; review them as a diff
	@PYTHONPATH=tests/support $(BIN)/python tests/golden/write.py

puzzles: $(READY) ## find the shipped puzzles again, from their seed (long; it resumes)
	@$(BIN)/python packaging/make_puzzles.py

check-puzzles: $(READY) ## check every shipped puzzle by the solvers, and by plain searches that share no code with them (long)
	@ALL_PUZZLES=1 $(BIN)/pytest $(FAST) tests/analysis/test_puzzles.py tests/games/*/puzzles

format: $(READY) ## format the sources
	@$(BIN)/ruff format src tests benchmarks examples packaging
	@$(BIN)/ruff check --fix src tests benchmarks examples packaging

docs: $(DOCS)    ## build the documentation site into build/docs, in strict mode; it works offline
	@PYTHONPATH=packaging $(BIN)/python -m docs_site

docs-long: $(READY) ## run the blocks of the documentation that take minutes, for the night
	@MANHUNT_LONG_DOCS=1 $(BIN)/pytest tests/project/test_docs.py -k long

kernels: $(READY) ## measure again what each topic of `manhunt warm` compiles (some minutes)
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

mutants: $(READY) ## put small mistakes into a copy of the package; do the tests notice? (takes long)
	@$(BIN)/python tests/mutation/mutate.py

clean:           ## remove the environment and caches
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
