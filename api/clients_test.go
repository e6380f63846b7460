package api_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// readers are the tools that read the document, and the clients that are written for what they make.
const readers = "testdata/readers"

// TestNightlyGeneratedClientsUseThePlatform: clients in TypeScript and Go are generated from the document that a platform serves,
// compiled, and run against it. Each registers, enters a tournament, reads and exports.
func TestNightlyGeneratedClientsUseThePlatform(t *testing.T) {
	onSQLite(t, nothing, func(w *world) {
		cup := w.cup(func(*tournament.Tournament) {})
		server := httptest.NewServer(w.api)
		t.Cleanup(server.Close)
		document := filepath.Join(t.TempDir(), "openapi.json")
		must.OK(t, os.WriteFile(document, w.get(anon, "/openapi.json").want(200, "").body, 0o600))
		runTypeScript(t, document, server.URL)
		runGo(t, document, server.URL)
		entries, err := w.store.Entries(t.Context(), cup.ID)
		if err != nil || len(entries) != 2 {
			t.Errorf("got the entries %v (%v), want one of each client", entries, err)
		}
	})
}

// TestLongLintersFindNothingInTheDocument: neither an error nor a warning, but of the rules that their settings switch off.
func TestLongLintersFindNothingInTheDocument(t *testing.T) {
	t.Parallel()
	runIn(t, readers, "node_modules/.bin/spectral", "lint", "--fail-severity=warn", "--ruleset=.spectral.yaml", "../../../docs/openapi.json")
	runIn(t, readers, "node_modules/.bin/redocly", "lint", "--config=redocly.yaml", "../../../docs/openapi.json")
}

// TestTheToolsOfAgentsConform to the protocol as npm's suite of conformance tests it. conformance.yaml lists the scenarios that ask for
// tools, resources and prompts of the suite's own.
func TestTheToolsOfAgentsConform(t *testing.T) {
	t.Parallel()
	onSQLite(t, withTheGames, func(w *world) {
		w.agent(owner, "agent-one")
		server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
			r.Header.Set("Authorization", "Bearer "+w.tokens[owner]) // the suite has no way to send one
			w.api.ServeHTTP(answer, r)
		}))
		t.Cleanup(server.Close)
		runIn(t, readers, "node_modules/.bin/conformance", "server", "--url", server.URL+"/mcp", "--expected-failures", "conformance.yaml")
	})
}

func runTypeScript(t *testing.T, document, platform string) {
	t.Helper()
	tools, err := filepath.Abs(filepath.Join(readers, "node_modules"))
	must.OK(t, err)
	dir := t.TempDir()
	copyInto(t, dir, readers, "package.json", "tsconfig.json", "client.ts")
	must.OK(t, os.Symlink(tools, filepath.Join(dir, "node_modules")))
	runIn(t, dir, "node_modules/.bin/openapi-typescript", document, "-o", "molerun.d.ts")
	runIn(t, dir, "node_modules/.bin/tsc")
	runIn(t, dir, "node", "client.js", platform)
}

func runGo(t *testing.T, document, platform string) {
	t.Helper()
	dir := t.TempDir()
	copyInto(t, dir, filepath.Join(readers, "go"), "go.mod", "go.sum", "main.go", "oapi-codegen.yaml")
	must.OK(t, os.Mkdir(filepath.Join(dir, "molerun"), 0o700))
	runIn(t, dir, "go", "tool", "oapi-codegen", "-config", "oapi-codegen.yaml", "-o", "molerun/molerun.gen.go", document)
	runIn(t, dir, "go", "run", "-trimpath", ".", platform)
}

func copyInto(t *testing.T, dir, from string, files ...string) {
	t.Helper()
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(from, name))
		must.OK(t, err)
		must.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o600))
	}
}

// runIn runs a program of the tools in a folder; what it says is the test's if it fails.
func runIn(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true") // asks nobody on the network
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
}
