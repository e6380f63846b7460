package gametest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// update is the one flag of all goldens of the games.
var update = flag.Bool("update", false, "write the goldens again")

// Golden compares got with a file of testdata, or with -update writes it.
func Golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must.OK(t, os.WriteFile(path, got, 0o600))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if bytes.Equal(want, got) {
		return
	}
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for k := range min(len(a), len(b)) {
		if !bytes.Equal(a[k], b[k]) {
			t.Fatalf("%s, line %d:\ngot  %s\nwant %s\n(look at the difference, then write it with -update)", name, k+1, a[k], b[k])
		}
	}
	t.Fatalf("%s: got %d lines, want %d (look at the difference, then write it with -update)", name, len(a), len(b))
}

// Along plays a match by the house and shows the table after the deal and after every step.
func Along(t *testing.T, e game.Engine, c Case, seed game.Seed, see func(game.Table)) {
	t.Helper()
	table, _, err := e.New(json.RawMessage(c.Config), c.Seats, seed)
	must.OK(t, err)
	for see(table); table.Due() != 0; see(table) {
		HouseStep(t, table)
	}
}

// failer is a test, a benchmark or a random check.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// HouseStep plays one step by the house and returns what happened.
func HouseStep(t failer, table game.Table) []game.Event {
	t.Helper()
	var turns []game.Turn
	for seat := range table.Due().Each() {
		turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
	}
	events, err := table.Apply(turns)
	if err != nil {
		t.Fatalf("step %d: %v", table.Step(), err)
	}
	return events
}

// Drawing refuses an SVG that is not well-formed, does not say in words what it shows, or needs or runs anything from outside.
func Drawing(t *testing.T, svg []byte) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	elements := map[string]int{}
	depth := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("the drawing is not well-formed: %v\n%s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if _, end := token.(xml.EndElement); end {
			depth--
		}
		if !ok {
			continue
		}
		if depth++; depth <= 2 || start.Name.Local != "title" { // a title further in is a hint of a part
			elements[start.Name.Local]++
		}
		for _, a := range start.Attr {
			if key := a.Name.Local; key == "href" || key == "style" || strings.HasPrefix(key, "on") { // a page with a policy refuses styles of its own
				t.Fatalf("the drawing leads elsewhere or runs something: %s has %s=%q", start.Name.Local, key, a.Value)
			}
		}
	}
	for name, want := range map[string]int{"svg": 1, "title": 1, "desc": 1, "script": 0, "image": 0} {
		if elements[name] != want {
			t.Errorf("the drawing has %d elements %s, want %d", elements[name], name, want)
		}
	}
	if n := bytes.Count(svg, []byte("://")); n != 1 {
		t.Errorf("the drawing has %d addresses, want that of the name space alone", n)
	}
	for _, want := range []string{`role="img"`, `viewBox="0 0 `} {
		if !bytes.Contains(svg, []byte(want)) {
			t.Errorf("the drawing has no %s", want)
		}
	}
}
