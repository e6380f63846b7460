# make help lists the targets.
SHELL := /bin/bash
GO ?= go

# What was compiled in one clone is not compiled again in the next. gin would bring a MessagePack codec of 6 MB, which nothing here uses
# and which takes long to compile.
export GOFLAGS := -trimpath -tags=nomsgpack $(GOFLAGS)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

# The version is the tag's.
VERSION = $(shell git describe --tags --always --dirty)
SET_VERSION = -X github.com/molerun/molerun/cli/command.version=$(VERSION)
BUILD = CGO_ENABLED=0 $(GO) build -ldflags='-s -w $(SET_VERSION)'

.PHONY: build
build: ## build ./molerun, a static binary
	$(BUILD) -o molerun .

PLATFORMS := linux/amd64 linux/arm64 darwin/arm64 darwin/amd64 windows/amd64

# The date of the last commit: the same commit gives the same archives.
EPOCH = $(shell git log -1 --format=%ct)

.PHONY: release
release: $(addprefix dist/,$(PLATFORMS)) dist/molerun.cdx.json ## build a release into dist/: archives (program, man pages, completions), Python wheels, SBOM, checksums
	cd dist && sha256sum molerun-*.tar.gz molerun-*.whl molerun.cdx.json > SHA256SUMS

.PHONY: $(addprefix dist/,$(PLATFORMS))
$(addprefix dist/,$(PLATFORMS)): dist/%: man
	rm -rf dist/molerun-$(*D)-$(*F) && mkdir dist/molerun-$(*D)-$(*F)
	cp -r LICENSE README.md dist/man dist/completions dist/molerun-$(*D)-$(*F)
	GOOS=$(*D) GOARCH=$(*F) $(BUILD) -o dist/molerun-$(*D)-$(*F)/ .
	python3 bots/python/backend.py --version $(VERSION) --platform $* --program dist/molerun-$(*D)-$(*F)/molerun$(if $(filter windows,$(*D)),.exe) dist
	tar -C dist --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(EPOCH) -c molerun-$(*D)-$(*F) | gzip -9n > dist/molerun-$(*D)-$(*F).tar.gz
	rm -r dist/molerun-$(*D)-$(*F)

.PHONY: dist/molerun.cdx.json
dist/molerun.cdx.json: ## the modules in the program (CycloneDX)
	$(GO) tool -modfile=lint/go.mod cyclonedx-gomod app -json -std -licenses -noserial -notimestamp -output $@ .

.PHONY: wheel
wheel: build ## build a Python wheel that carries the program for this machine into dist/
	mkdir -p dist
	python3 bots/python/backend.py --version $(VERSION) --platform $(shell $(GO) env GOOS)/$(shell $(GO) env GOARCH) --program molerun dist

.PHONY: reproducible
reproducible: release ## build the release again in another folder, and compare the checksums
	rm -rf dist/again && git clone -q . dist/again
	$(MAKE) -C dist/again release VERSION=$(VERSION)
	diff dist/SHA256SUMS dist/again/dist/SHA256SUMS
	rm -rf dist/again

.PHONY: notes
notes: ## print what the CHANGELOG says of VERSION
	@awk -v version=$(VERSION:v%=%) '/^## / { on = $$2 == version; next } on { print; found = 1 } END { exit !found }' CHANGELOG.md

.PHONY: man
man: ## write a man page for every command into dist/man, and the completions of every shell into dist/completions
	SOURCE_DATE_EPOCH=$(EPOCH) $(GO) run -ldflags='$(SET_VERSION)' ./cli/man dist

.PHONY: image
image: ## build the image that docker-compose.yml runs
	docker build -f deploy/Dockerfile --build-arg VERSION=$(VERSION) -t molerun .

.PHONY: setup
setup: ## install what the tests need (C compiler, PostgreSQL, Python 3 with pip, Node, npm, rustc, a JDK, Mono, curl, Chromium, PgBouncer, Prometheus, axe-core, readers of the API's document)
	@.ci/setup

# Packages of pure functions: the same code gives the same result, and what has not changed is not run again.
GAMES := ./engines/... ./bots/house/... ./bots/python ./tournament/pairing/... ./tournament/matchmaking ./tournament/rating/...

# Packages whose tests start molerun as processes and wait for them or for a browser.
PROCESSES := ./cli ./cli/demo ./cli/journeys ./internal/browsertest

# Packages whose tests strike at processes, and judge by what comes of it and how long it takes.
STRIKES := ./cli/cheats ./cli/faults

# Packages whose tests take longest begin first: else one of them keeps one core at work alone at the end.
LONGEST := ./api ./tournament/director ./tournament/store ./tournament/jobs ./tournament/httpbot

# The race detector makes tests several times as slow and compiles everything once more. Part race watches the packages that import
# sync, and so share memory, but commands and pages that share one value; make nightly has it watch all.
RACED = $$($(GO) list -f '{{.ImportPath}} {{join .Imports " "}} ' ./... | grep -E ' sync(/atomic)? | golang.org/x/sync/' | cut -d' ' -f1 | grep -vE '/(internal/.*|cli/(author.*|command|demo|local|platform|printer|process|settings)|api|login|pages|director|jobs|store)$$')

# Of packages where a dozen lines of thousands share memory, it watches the tests with one of these words in their names.
MOSTLY_ALONE := ./api ./tournament/director ./tournament/jobs ./tournament/store
AT_ONCE := AtOnce|EachOther|Finishers|OnceForAll|Reader|Relay|Slow|Stream|Takeover|UnderWay|Watch|Worker

# It leaves out SQLite itself, translated from C, which would only be four times slower; it has no generic function whose body the linker
# could take for one of ours.
RACE := -race -gcflags='modernc.org/sqlite/lib=-race=false'

# but lists all packages besides some.
but = $$(comm -23 <($(GO) list $(1) | sort) <($(GO) list $(2) | sort))

.PHONY: lint
lint: ## staticcheck (staticcheck.conf says what it looks for), and oasdiff: does the API break clients of the last release?
	$(GO) tool -modfile=lint/go.mod staticcheck ./...
	$(GO) tool -modfile=lint/go.mod oasdiff breaking --fail-on WARN --severity-levels lint/oasdiff.txt --err-ignore lint/oasdiff-known.txt --warn-ignore lint/oasdiff-known.txt $(shell ls api/testdata/released/*.json | sort -V | tail -n 1) docs/openapi.json

.PHONY: golangci
golangci: ## golangci-lint with our settings, where it is installed: what staticcheck does not look for
	golangci-lint run

.PHONY: test
test: ## every test, on SQLite and on PostgreSQL (PARTS="vet lint race bench" runs those parts, which else run in hosted CI and at night)
	@.ci/test $(PARTS)

# The parts of the tests. Those that start processes wait most of the time, so .ci/test runs them beside all other parts.
# Tests whose names begin with TestNightly take minutes; make nightly runs them.
# A link without debugging information takes half the time, and there are over a hundred.
TEST := $(GO) test -vet=off -ldflags=-s -timeout 60m -skip '^TestNightly'
GO_TEST := $(TEST) -count=1
COMPILE := $(GO) list -test -export

.PHONY: test-vet test-lint
test-lint: lint
test-vet: # so that go test need not
	$(GO) vet ./...
	$(GO) vet -C bench ./...

.PHONY: test-games test-bench
test-games:
	$(TEST) $(GAMES)
test-bench:
	cd bench && $(TEST) ./...

.PHONY: test-platform
test-platform: # browsers and databases are waited for
	$(GO_TEST) -p 3 $(LONGEST) $(call but,./...,$(GAMES) $(PROCESSES) $(STRIKES) $(LONGEST))

.PHONY: test-race test-race-whole test-race-at-once
test-race: test-race-whole test-race-at-once
test-race-whole:
	$(GO_TEST) $(RACE) $(RACED)
test-race-at-once:
	$(GO_TEST) $(RACE) -run '$(AT_ONCE)' $(MOSTLY_ALONE)

.PHONY: test-processes
test-processes: # more at a time than there are cores, for they wait
	$(GO_TEST) -p 3 -parallel 6 $(PROCESSES)

.PHONY: test-strikes
test-strikes: # by themselves, for a crowded machine strikes too: they mostly wait, and only what they leave of the cores compiles the other tests
	$(COMPILE) $(STRIKES) . >/dev/null
	nice -n 19 $(COMPILE) ./... >/dev/null & $(GO_TEST) -p 1 $(STRIKES); code=$$?; wait; exit $$code

.PHONY: nightly
nightly: lint ## the linters, everything under the race detector, the same laws over millions of positions, long fuzzing, mutation testing, a thousand faults
	$(GO_TEST) $(RACE) ./... # the sizes of the day: it makes a test ten times as long, and those of the night take hours without it
	MOLERUN_NIGHTLY=1 $(GO) test -vet=off -count=1 -timeout 12h ./...
	MOLERUN_NIGHTLY=1 $(GO) test -C bench -count=1 -timeout 12h ./...
	@if [ "$$(id -u)" = 0 ]; then $(MAKE) faults ARGS="-faults 300 -seed 2 -small-disk"; else echo "no full disk under Postgres: only root may mount a small one"; fi
	.ci/fuzz 60s
	.ci/mutate
	$(MAKE) portable

.PHONY: vuln
vuln: ## look for known vulnerabilities with govulncheck (needs the network; says so if it skips)
	@GO=$(GO) .ci/vuln

.PHONY: portable
portable: ## the same bytes on amd64 v3 and on arm64 (needs qemu-user-static)
	GOAMD64=v3 $(GO) test -count=1 -run 'Traj|Golden|Recorded' ./engines/...
	cd engines/mole/coins && GOARCH=arm64 CGO_ENABLED=0 $(GO) test -c -o coins.arm64 . && qemu-aarch64-static ./coins.arm64 -test.run "Traj|SinCos" && rm coins.arm64
	for game in cia demol mole molehill molemajority; do (cd engines/$$game && GOARCH=arm64 CGO_ENABLED=0 $(GO) test -c -o $$game.arm64 . && qemu-aarch64-static ./$$game.arm64 -test.run 'Golden|Recorded' && rm $$game.arm64) || exit 1; done

.PHONY: fuzz
fuzz: ## every fuzz target for ten seconds
	.ci/fuzz 10s

.PHONY: mutate
mutate: ## change the rules of De Mol, CIA, Mole Majority and Mole token by token; the tests should see it
	.ci/mutate

.PHONY: cheats
cheats: ## try every cheat beside an honest twin on real processes; writes the table of docs/threats.md, fails if one pays
	MOLERUN_CHEATS=1 $(GO) test -count=1 -timeout 30m -v -run '^TestNoCheatPays$$' ./cli/cheats

.PHONY: faults
faults: ## strike real processes, Postgres and their connections, and judge what they made of it (ARGS="-faults 1000 -seed 7")
	$(GO) test -count=1 -timeout 12h -v -run '^TestNoFaultBreaksTheLaw$$' ./cli/faults -args -faults 200 $(ARGS)

.PHONY: golden
golden: ## rewrite the golden files and the generated documents; review the diff like code
	$(GO) generate ./...

.PHONY: pictures
pictures: ## play the demo and take the pictures of every page, and of each game's board at three moments, again, and the drawings of the README; look at them
	rm -f docs/pictures/*.png
	$(GO) test -count=1 ./docs -run Picture -update
	$(GO) test -count=1 ./cli -run TestTheFolderOfPicturesIsTheAlbum -photos $(CURDIR)/docs/pictures

.PHONY: lighthouse
lighthouse: build ## play the demo and look at a page of every type with Lighthouse (needs npm and Chromium; a busy machine takes from performance)
	cd cli/testdata/lighthouse && npm ci --silent --no-audit --no-fund && node run.mjs $(CURDIR)/molerun $(ARGS)

.PHONY: bench
bench: ## anchors and ours side by side, as ratios
	$(GO) run -C bench . $(ARGS)

.PHONY: simulate
simulate: ## ladders of bots of known strength in virtual time, to judge the ratings
	$(GO) run -C bench ./simulate $(ARGS)

.PHONY: bench-coins
bench-coins: ## the coin solver against a Box2D stepper, and that both agree
	$(GO) test -C bench -count=1 ./coins
	$(GO) run -C bench ./coins
