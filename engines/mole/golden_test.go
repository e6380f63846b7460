package mole_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/engines/gametest"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGoldens compares short recorded matches of the house, one for each variant, with the files: actions, events, hashes.
// They are the same under GOAMD64=v3 and on arm64.
func TestGoldens(t *testing.T) {
	for name, config := range map[string]string{
		"base": `{"max_rounds":6}`, "short": `{"points":5,"max_rounds":5,"first_mole":0}`,
		"carnival": `{"board":"carnival","max_rounds":6,"noise":"shaky","mole_max_mm_s":2000}`, "still": `{"noise":"none","max_rounds":6,"first_mole":1}`,
	} {
		got, err := gametest.Record(engine, gametest.Case{Config: config, Seats: 2}, gametest.Seed(3))
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".jsonl", got)
	}
}

// golden compares got with a file of testdata, or writes it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for k := range min(len(a), len(b)) {
		if !bytes.Equal(a[k], b[k]) {
			t.Fatalf("%s, line %d:\ngot  %s\nwant %s\n(rewrite with -update and review the difference)", name, k+1, a[k], b[k])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%s: got %d lines, want %d", name, len(a), len(b))
	}
}
