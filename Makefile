# Two commands are enough: `make run` to try Scrubjay, `make test` to check it.

.DEFAULT_GOAL := setup
.PHONY: setup setup-test setup-package run test lint bench bundle package package-test lock advisories
.NOTPARALLEL:

ifndef PYTHON
# The first Python that is new enough; python3 itself when it is.
PYTHON := $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	echo $$name; break; fi; done)
endif
BIN := .venv/bin

setup:
	@if [ -z "$(PYTHON)" ]; then echo "Scrubjay needs Python 3.11 or newer." >&2; exit 1; fi
	@$(PYTHON) scripts/setup.py run

setup-test:
	@if [ -z "$(PYTHON)" ]; then echo "Scrubjay needs Python 3.11 or newer." >&2; exit 1; fi
	@$(PYTHON) scripts/setup.py test

setup-package:
	@if [ -z "$(PYTHON)" ]; then echo "Scrubjay needs Python 3.11 or newer." >&2; exit 1; fi
	@$(PYTHON) scripts/setup.py package

# Opens the app on the sample notes; without a display, the same job in the terminal.
run: setup
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$OS" = Windows_NT ] || [ "$$(uname)" = Darwin ]; then \
		exec $(BIN)/scrubjay-desktop --sample; \
	fi; \
	echo "There is no display here, so Scrubjay answers in the terminal."; \
	exec $(BIN)/scrubjay demo

# Everything that CI runs. Lint runs beside the tests, and either failure fails it.
# The tests mostly wait, so there is one more worker than two cores. What they write need not
# outlive a power cut; waiting for the disk took a third of their time. Each starts hundreds of
# programs, which are compiled once.
# Real windows on a busy machine can miss a moment, so what failed gets one more attempt, alone (1:
# tests failed; a crash or a hang gets none), and both attempts are in the output.
WORKERS ?= 3
test: setup-test
	@unset PYTHONDONTWRITEBYTECODE; \
	{ $(MAKE) --no-print-directory lint >build/lint.log 2>&1; status=$$?; \
		echo; cat build/lint.log; exit $$status; } & lint=$$!; \
	pytest="$$(command -v eatmydata) $(BIN)/python -m pytest"; \
	$$pytest -n $(WORKERS) --max-worker-restart 0; status=$$?; \
	failed=0; \
	wait $$lint || failed=1; \
	if [ $$status = 1 ]; then \
		echo "Second attempt for the tests that failed: one that passes now is unsteady."; \
		$$pytest --last-failed; status=$$?; \
	fi; \
	[ $$status = 0 ] || failed=1; \
	exit $$failed

lint:
	$(BIN)/ruff check bench core desktop packaging scripts tests
	$(BIN)/ruff format --check bench core desktop packaging scripts tests
	$(BIN)/mypy
	$(BIN)/mypy bench scripts packaging
	$(BIN)/lint-imports
	$(BIN)/python scripts/structure.py

# Not right after `make setup`, which still builds something in the background.
bench: setup-test
	$(BIN)/python -m bench

# A folder that runs without Python: dist/scrubjay.
bundle: setup-package
	$(BIN)/python packaging/bundle.py

# What people on Linux install: dist/packages, with checksums and lists of parts.
package: bundle
	$(BIN)/python packaging/deb.py
	$(BIN)/python packaging/portable.py
	$(BIN)/python packaging/checksums.py

# Uses what `make package` made, as root: in a clean system, and where things go wrong.
package-test: setup-package
	lintian --fail-on error --allow-root dist/packages/*.deb
	$(BIN)/python packaging/smoke.py
	$(BIN)/python packaging/failure_modes.py

# Resolves anew what requirements.lock pins, for every platform, without registry addresses.
lock: setup
	@PATH="$(CURDIR)/.tools/uv/bin:$$PATH" uv pip compile pyproject.toml --quiet \
		--group dev --group builtin-model --override overrides.txt --universal --generate-hashes \
		--no-emit-index-url --no-annotate --no-header --output-file requirements.lock
	@PATH="$(CURDIR)/.tools/uv/bin:$$PATH" uv pip compile pyproject.toml --quiet \
		--extra team --group team-dev --override overrides.txt --constraints requirements.lock \
		--universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--output-file requirements-team.lock

# Lists advisories of the locked versions: make advisories OSV=PATH, a folder or zip of OSV records
# (docs/packaging.md). Fetches nothing.
advisories: setup-test
	@$(BIN)/python scripts/advisories.py "$(OSV)"
