# The course from a shell. `make` alone lists what there is.
# The Python of .venv; without one, the newest supported that can make an environment.
SUPPORTED := 3.14 3.13 3.12 3.11
PYTHON ?= $(shell for one in .venv/bin/python $(SUPPORTED:%=python%); do \
	$$one -c 'import venv, ensurepip' 2> /dev/null && echo $$one && exit; done; echo python3)
# How the demo grades: full, none, or by default full where this system offers it.
ISOLATION ?=
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_CHAPTER := ch04_self_attention

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-languages fuzz lint matrix mutants roundings test-browser bench bench-grading bench-scale bench-writing bench-pairs bench-report lab build catalog pictures site dist lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## install everything that is pinned in requirements.lock into .venv

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit("%d.%d" % sys.version_info[:2] not in "$(SUPPORTED)".split())' || { \
		echo "Python 3.11 to 3.14 is needed, with the module venv (Debian, Ubuntu: apt install python3-venv);"; \
		echo "$(PYTHON) is none. Name one with: make PYTHON=/path/to/python3"; exit 1; }
	[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --requirement requirements.lock || { \
		echo "pip could not install all of it, for the reason above. Mend that, and say 'make setup' again."; \
		echo "Behind a mirror, set PIP_INDEX_URL. On Linux it takes 3 GB of downloads and 6 GB of room; docs/installation.md says how 0.5 and 2 will do."; \
		exit 1; }
	$(BIN)/python -m pip install --no-deps --no-build-isolation --editable .
	@touch $@

demo: setup ## build, make a small class, grade it, show the table
	$(BIN)/grader build $(DEMO_CHAPTER)
	rm -rf demo
	$(BIN)/grader sample-class demo --chapter $(DEMO_CHAPTER) --students 6 --seed 3
	@isolation="$(ISOLATION)"; [ -n "$$isolation" ] || { isolation=full; \
	$(BIN)/python -m grader.sandbox || { isolation=none; \
	echo "So the demo's own class runs as ordinary processes of your user. Do that with a class only if you trust it."; }; }; \
	set -x; $(BIN)/grader grade $(DEMO_CHAPTER) --course demo --isolation $$isolation
	$(BIN)/grader report $(DEMO_CHAPTER) --course demo
	$(BIN)/grader report $(DEMO_CHAPTER) --course demo --html demo/report.html
	@echo "Next: open demo/report.html or a feedback page named above, run 'make lab' for the student notebooks,"
	@echo "or read README.md on how to grade a class of your own."

test: setup lint ## run every test but those of the browser (those of PostgreSQL need its server installed)
	$(BIN)/grader build --check
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile --ignore tests/browser
	$(BIN)/python -m pytest solutions --nbval --nbval-current-env --nbval-sanitize-with tests/nbval_sanitize.cfg \
		-p tests.nbval_rounding --numprocesses 2 --dist loadscope

test-languages: setup ## run the notebooks of all languages: they show what the English ones do (ten minutes)
	rm -rf build/languages
	$(BIN)/python -m tests.translated_notebooks build/languages
	$(BIN)/python -m pytest build/languages --nbval --nbval-current-env \
		--nbval-sanitize-with tests/nbval_sanitize.cfg -p tests.nbval_rounding --numprocesses 2 --dist loadscope

test-browser: setup ## run the tests that need Chromium and npm
	npm ci --prefix tests/browser --no-audit --no-fund
	$(BIN)/python -m pytest tests/browser

fuzz: setup ## read what a student might send, for MINUTES (60); what is found is kept in .fuzz/
	$(BIN)/python -m tests.fuzz $(or $(MINUTES),60)

lint: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml

matrix: ## try the course on each other supported Python that is here (3 GB of downloads each, on Linux)
	$(PYTHON) tests/matrix.py $(VERSIONS)

mutants: setup ## mutate every correct variant: no wrong answer that nobody listed may pass
	$(BIN)/grader references mutate

roundings: setup ## round every operation of every correct variant at random: none may be refused
	$(BIN)/grader references roundings

bench: setup ## measure the time that importing, checking and building take (half an hour)
	$(BIN)/python tests/benchmarks/checking.py
	$(BIN)/python -m tests.benchmarks.hidden

bench-grading: setup ## measure grading a class against stock nbgrader (a quarter of an hour)
	$(BIN)/python tests/benchmarks/grading.py

bench-scale: setup ## measure 10,000 submissions here and over Dask (an hour; Linux, as root)
	$(BIN)/python -m tests.benchmarks.scale

bench-writing: setup ## measure how many results a second are written to SQLite and PostgreSQL
	$(BIN)/python -m tests.benchmarks.writing

bench-pairs: setup ## measure how answers with two mistakes are told
	$(BIN)/python -m tests.benchmarks.pairs

bench-report: setup ## measure the report on a class of 200 over six chapters
	$(BIN)/python -m tests.benchmarks.reporting

lab: setup ## open JupyterLab on the student notebooks
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/jupyter lab --notebook-dir notebooks/en

build: setup ## build all references and notebooks from their sources
	$(BIN)/grader references build
	$(BIN)/grader build

catalog: setup ## find all texts that learners read of the grader, and write the catalog for translations
	$(BIN)/python -m grader.messages.catalog

pictures: setup ## draw the pictures that the README and the site begin with (needs Chromium)
	$(BIN)/python -m docs.pictures.draw

site: setup ## build pages to read into build/site: all chapters without solutions, and the guides
	$(BIN)/grader site build/site --force

dist: setup ## make the wheel and the source archive in dist/; the same bytes each time
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2> /dev/null || echo 315532800) \
		$(BIN)/python -m build --no-isolation --outdir dist .
	cd dist && sha256sum *

lock: ## pin again what pyproject.toml asks for (torch without the name of its build)
	$(BIN)/pip-compile --quiet --strip-extras --allow-unsafe --no-annotate --no-header --no-emit-index-url \
		--no-emit-find-links --no-emit-trusted-host --extra develop --output-file requirements.lock pyproject.toml
	sed 's/^\(torch==[0-9.]*\)+.*/\1/' requirements.lock > requirements.lock.new
	mv requirements.lock.new requirements.lock

clean: ## remove the demo, the site, the archives and the virtual environments
	rm -rf demo build dist .matrix $(VENV)
