# Everything a person or CI needs. `make help` lists it. Node 24 comes with the dependencies on Linux.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

# What computes shares a process, in two halves: to start one for each file takes longer than most files do. The rooms by themselves,
ROOMS := $(wildcard test/model test/signs test/world test/detect test/explain test/incident test/message test/turn test/scripts test/soak test/chaos test/edition test/histories test/honesty test/fleet test/api test/operator test/telemetry)
# and what plays recorded clusters.
PLAYED := $(wildcard test/scenarios test/dump)
# What starts servers, waits for them, or sets for a whole process how it reaches others, gets a process for each file.
SERVED := $(wildcard test/kube test/providers test/delivery test/state test/runtime test/diagnose test/mcp test/cli test/server test/sandbox)
# What most changes break first.
QUICK := test/model test/signs test/world test/detect test/explain test/incident test/message test/edition
# The folders that exist, as globs of test files.
tests = $(foreach folder,$(1),'$(folder)/**/*.test.ts')

# What Node has compiled is kept, so that each of the many processes of the tests starts in half the time; not where it is measured.
demo test test-rooms test-played test-served test-quick e2e check generate scorecard: export NODE_COMPILE_CACHE := $(CURDIR)/node_modules/.cache/node

.PHONY: help demo check test test-rooms test-played test-served test-quick e2e detectors quiet latency latency-in-company storms histories fleet fuzz servers tools soak siege chaos controlplane bench build site generate gallery scorecard record-scenarios node honesty release-rehearsal

help: ## Show this list
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 16

node_modules/.package-lock.json: package.json package-lock.json .npmrc
	@command -v npm >/dev/null || { echo 'Tocsin needs npm (it comes with Node 20 or newer): https://nodejs.org' >&2; exit 2; }
	@echo 'Installing dependencies: once, 600 MB, about a minute ...'
	@npm ci
	@touch $@

node: node_modules/.package-lock.json
	@node scripts/require-node.cjs

demo: node ## Break things in a simulated cluster and print each message as it is delivered
	@node src/main.ts demo

test: node ## Unit tests, the API, providers, and the whole operator against the sandbox (PROPERTY_RUNS=10: more of what is generated)
	@$(MAKE) --no-print-directory -j3 test-rooms test-played test-served

# Side by side: two that keep a processor busy each, and many that wait for sockets and clocks, four at a time.
test-rooms: node
	@node --test --test-isolation=none $(call tests,$(ROOMS))

test-played: node
	@node --test --test-isolation=none $(call tests,$(PLAYED))

test-served: node
	@node --test --test-concurrency=4 $(call tests,$(SERVED))

test-quick: node ## The pure rooms alone, in under a minute: for the middle of a change
	@node --test --test-isolation=none --test-reporter=dot $(call tests,$(QUICK))

e2e: node controlplane ## The whole operator against a real etcd and kube-apiserver (KUBERNETES=1.33 picks its version)
	@node --test --test-concurrency=2 $(call tests,test/controlplane) 'test/e2e/*.test.ts'

detectors: node controlplane ## Detectors on a real control plane: what each finds is produced, and five minutes of what is normal (ONLY=P1,S1 picks)
	@node --test --test-concurrency=1 'test/e2e/produced/*.test.ts' 'test/e2e/quiet/*.test.ts'

soak: node controlplane ## Two hours of change, outages and failing receivers (SOAK_MINUTES=6 for a short cut)
	@node test/soak/main.ts

siege: node controlplane ## Ten minutes of all enemies at once while real things break, on a real control plane (SIEGE_MINUTES=8 for a short cut)
	@node test/siege/main.ts

quiet: node controlplane ## What is normal all day, for 15 minutes on a real control plane: nobody may be told (QUIET_MINUTES=5 for a short cut)
	@node test/e2e/quiet/main.ts

latency: node controlplane ## How soon people are told of every case that is produced on a real control plane: writes docs/contributing/latency.md
	@node test/e2e/latency/main.ts

latency-in-company: node controlplane ## How soon people are told among thirty faults that have nothing to do with each other, and alone: writes docs/contributing/latency-in-company.md
	@node test/e2e/latency/company.ts

storms: node controlplane ## A thousand Pods that fail from one cause, cause after cause, on a real control plane: writes docs/contributing/storms.md (STORM_PODS=100 for a short cut)
	@node test/e2e/storms/main.ts

chaos: node controlplane ## Killed 100 times, its disk, clock and Lease taken: figures into docs/contributing/reliability.md (CHAOS_ROUNDS=20 for a short cut)
	@node test/chaos/main.ts

histories: node ## 5,000 random histories of outages, refusals, edits and kills, and whether they notice mutations (HISTORIES=500 for a short cut)
	@HISTORIES=$(or $(HISTORIES),5000) node --test 'test/histories/**/*.test.ts'
	@node test/histories/mutations/main.ts

fleet: node ## A hub and fifty members on loopback, a process each: one registry down is one message, a hub that is killed is fifty (FLEET=10 for a short cut)
	@node test/fleet/main.ts

# What parses what strangers write: logs, names, objects, answers of API servers and products, tokens, manifests.
FUZZED = $(shell grep -rlE 'fast-check|HOSTILE_RUNS' --include=*.test.ts test/model test/message test/kube test/signs test/providers test/edition test/cli test/runtime/hub 2>/dev/null)

fuzz: node ## Ever new inputs for whatever parses what strangers write, for longer than in make test (PROPERTY_RUNS=100, HOSTILE_RUNS=10000, FUZZ=10000 damaged archives)
	@PROPERTY_RUNS=$(or $(PROPERTY_RUNS),100) HOSTILE_RUNS=$(or $(HOSTILE_RUNS),10000) node --test --test-concurrency=1 $(FUZZED)
	@FUZZ=$(or $(FUZZ),10000) node --test test/dump/fuzz.test.ts

honesty: node ## Who fails of his own beside others, suspects who did not do it, claims without their cause, noise: 2,500 stories
	@node test/honesty/main.ts

servers: node ## Providers against real servers, each built once with Go (test/servers/README.md); SERVERS='gotify mail' picks
	@node --test --test-concurrency=1 --test-timeout=1800000 $(if $(SERVERS),$(SERVERS:%=test/servers/%.test.ts),'test/servers/*.test.ts')

tools: node controlplane ## The chart, bundle, alert rules, health scripts, statuses and MCP server by the programs of those who read them: each built or installed once
	@node --test --test-concurrency=1 --test-timeout=1800000 'test/tools/*.test.ts'

controlplane: node ## Provide etcd, kube-apiserver and kubectl in a cache outside the tree (built once with Go)
	@node scripts/controlplane.ts

# Tests that a new part stumbles over first; they take seconds.
STUMBLED := test/scripts/docs-names.test.ts test/scripts/lock-screen.test.ts test/providers/registry.test.ts test/providers/secret-addresses.test.ts

check: node ## Types, format, lint, layers, commands, unused code, words, generated files, and the quick tests of new parts
	@tsc
	@biome check --error-on-warnings .
	@oxlint --type-aware --quiet
	@node scripts/layers.ts
	@node scripts/commands.ts
	@knip
	@node scripts/words.ts
	@node scripts/generate.ts --check
	@node --test --test-isolation=none --test-reporter=dot $(STUMBLED)

generate: node ## Write crds/, config/ and docs/ from src/api and src/providers
	@node scripts/generate.ts

gallery: node ## Pictures of one incident in the products: docs/gallery (needs a Chromium; CHROMIUM=/path names one)
	@node scripts/gallery.ts

scorecard: node ## How well the scenarios are explained and told: prints the figures, writes docs/contributing/scorecard.md
	@node test/scenarios/scorecard.ts

record-scenarios: node controlplane ## Play the scenario stories on real and simulated clusters and record their logs
	@node test/scenarios/record.ts

bench: node ## Figures: memory, first sync, lag, beside others; prints them and writes docs/contributing/performance.md
	@node test/bench/main.ts

build: node ## Bundle the operator into dist/
	@node scripts/build.ts

release-rehearsal: node controlplane ## A whole release on loopback: built, published, signed, verified, and installed in each documented way on a real control plane
	@node --test --test-concurrency=1 --test-timeout=1800000 'test/release/*.test.ts'

site: node ## Build the documentation as a site into dist/site
	@node scripts/site.ts
