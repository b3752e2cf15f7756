# `make run` opens Scrubjay, and `make test` checks it. No other command is needed before either.

.DEFAULT_GOAL := setup
.PHONY: setup setup-test setup-package run test test-reader clients windows windows-test lint bench bundle \
	package package-test lock advisories
.NOTPARALLEL:

ifndef PYTHON
# The first Python that is new enough. python3 is preferred.
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

# Opens the app with the sample notes, or searches them in the terminal if there is no display.
run: setup
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || [ "$$OS" = Windows_NT ] || [ "$$(uname)" = Darwin ]; then \
		exec $(BIN)/scrubjay-desktop --sample; \
	fi; \
	echo "There is no display here, so Scrubjay answers in the terminal."; \
	exec $(BIN)/scrubjay demo

# Everything that CI runs. Lint runs at the same time as the tests, and a failure of either one
# fails the target. Tests mostly wait, so three workers share two cores. eatmydata skips waiting for
# the disk, which took a third of the time: files of tests do not have to survive a power cut. The
# tests start hundreds of programs, so Python may keep their bytecode.
# The order is that of the files. `pytest` alone takes another order each time, and prints its seed.
# Until twenty whole runs in a row have been clean, tests that fail (status 1) run once more, without
# other tests beside them. After a crash or a hang there is no second attempt. The output contains
# both attempts.
WORKERS ?= 3
test: setup-test
	@unset PYTHONDONTWRITEBYTECODE; \
	{ $(MAKE) --no-print-directory lint >build/lint.log 2>&1; status=$$?; \
		echo; cat build/lint.log; exit $$status; } & lint=$$!; \
	pytest="$$(command -v eatmydata) $(BIN)/python -m pytest -p no:randomly"; \
	$$pytest -n $(WORKERS) --max-worker-restart 0; status=$$?; \
	failed=0; \
	wait $$lint || failed=1; \
	if [ $$status = 1 ]; then \
		echo "Second attempt for the tests that failed: one that passes now is unsteady."; \
		$$pytest --last-failed; status=$$?; \
	fi; \
	[ $$status = 0 ] || failed=1; \
	exit $$failed

# Downloads the language models that rerank results (350 MB, once), and tests reranking with them.
# `make test` does this too once they are there.
test-reader: setup-test
	@$(BIN)/python scripts/reader_models.py
	$(BIN)/python -m pytest -n 0 tests/core/embedding/local/test_local_reader.py

# Installs other clients of the server for agents below build/, and tests the server and the bundles
# for agents with them.
# `make test` does this too once they are installed.
clients: setup-test
	$(BIN)/python scripts/protocol_clients.py
	$(BIN)/python -m pytest -n 0 tests/core/mcp_server/test_other_clients.py \
		tests/core/mcp_server/test_inspector.py tests/packaging/test_agent_bundles.py

# Builds a Python for Windows with all packages below build/windows. Wine runs it.
windows: setup-test
	@$(BIN)/python scripts/windows_python.py

# Tests Scrubjay for Windows under Wine, and takes pictures of its windows (docs/platforms.md).
windows-test: windows
	@$(BIN)/python scripts/windows_test.py

# The types are checked as on all three systems, at once, each with a cache of its own.
lint:
	$(BIN)/ruff check bench core desktop packaging scripts tests
	$(BIN)/ruff format --check bench core desktop packaging scripts tests
	printf '%s\n' linux darwin win32 | \
		xargs -P 3 -I PLATFORM $(BIN)/mypy --platform PLATFORM --cache-dir .mypy_cache/PLATFORM
	$(BIN)/lint-imports
	$(BIN)/python scripts/structure.py

# Do not run this right after `make setup`, which is still building something in the background.
bench: setup-test
	$(BIN)/python -m bench

# Builds dist/scrubjay, a folder that runs without Python.
bundle: setup-package
	$(BIN)/python packaging/bundle.py

# Builds the packages for Linux and Windows and the bundles for agents in dist/packages, with
# checksums and lists of parts. Those for Windows need Wine and NSIS, and are left out without them.
package: bundle
	$(BIN)/python packaging/deb.py
	$(BIN)/python packaging/portable.py
	$(BIN)/python packaging/windows_packages.py
	$(BIN)/python packaging/agent_bundles.py
	$(BIN)/python packaging/checksums.py

# Tests the packages of `make package` in a clean system and under failures. Needs root.
package-test: setup-package
	lintian --fail-on error --allow-root dist/packages/*.deb
	$(BIN)/python packaging/smoke.py
	$(BIN)/python packaging/failure_modes.py

# Updates the versions in requirements.lock for all platforms, without addresses of registries.
lock: setup
	@PATH="$(CURDIR)/.tools/uv/bin:$$PATH" uv pip compile pyproject.toml --quiet \
		--extra pictures --group dev --group builtin-model --override overrides.txt --universal --generate-hashes \
		--no-emit-index-url --no-annotate --no-header --output-file requirements.lock
	@PATH="$(CURDIR)/.tools/uv/bin:$$PATH" uv pip compile pyproject.toml --quiet \
		--extra team --group team-dev --override overrides.txt --constraints requirements.lock \
		--universal --generate-hashes --no-emit-index-url --no-annotate --no-header \
		--output-file requirements-team.lock
	@PATH="$(CURDIR)/.tools/uv/bin:$$PATH" uv pip compile \
		--group reader-models --quiet --no-deps --universal --generate-hashes --no-emit-index-url --no-annotate \
		--no-header --output-file requirements-readers.lock

# Lists security advisories for the locked versions: make advisories OSV=PATH. PATH is a folder or
# zip of OSV records (docs/packaging.md). Nothing is downloaded.
advisories: setup-test
	@$(BIN)/python scripts/advisories.py "$(OSV)"
