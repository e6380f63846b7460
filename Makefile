# make help lists the targets.
SHELL := /bin/bash
GO ?= go

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

.PHONY: build
build: ## build ./molerun, a static binary
	CGO_ENABLED=0 $(GO) build -trimpath -o molerun .

.PHONY: setup
setup: ## install what the tests need (C compiler, PostgreSQL, Python 3, curl)
	@.ci/setup

.PHONY: test
test: setup ## vet, then every test with the race detector, on SQLite and on PostgreSQL
	$(GO) vet ./...
	.ci/with-postgres $(GO) test -race -count=1 -timeout 35m ./...

.PHONY: nightly
nightly: setup ## the same laws over millions of positions, long fuzzing, a thousand kills
	MOLERUN_NIGHTLY=1 .ci/with-postgres $(GO) test -race -count=1 -timeout 12h ./...
	.ci/fuzz 60s

.PHONY: fuzz
fuzz: ## every fuzz target for ten seconds
	.ci/fuzz 10s

.PHONY: golden
golden: ## rewrite the golden files and the generated documents; review the diff like code
	$(GO) generate ./...

.PHONY: lint
lint: ## golangci-lint with our settings (install it first)
	golangci-lint run

.PHONY: bench
bench: ## anchors and ours side by side, as ratios
	$(GO) run . bench
