package gametest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/svg"
)

// toyPage returns a drawing of a game with words in it.
func toyPage(inside string) []byte {
	var d svg.Document
	d.Begin(svg.Head{ID: "toy", Height: 99, Style: "\n.tiny{font-size:10px}\n.brown{fill:#2a241c}"})
	d.WriteString(inside)
	return d.End()
}

// The rigs of this file fail a test themselves: so each is tried in a process of its own.
func TestRigsFail(t *testing.T) {
	const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" role="img"><title>t</title><desc>d</desc>`
	rows := map[string]struct {
		rig  func(t *testing.T)
		want string // "": it passes
	}{
		"a drawing":              {func(t *testing.T) { Drawing(t, []byte(head+`</svg>`)) }, ""},
		"a drawing that is open": {func(t *testing.T) { Drawing(t, []byte(head)) }, "not well-formed"},
		"a link":                 {func(t *testing.T) { Drawing(t, []byte(head+`<a href="/"/></svg>`)) }, "leads elsewhere"},
		"a script":               {func(t *testing.T) { Drawing(t, []byte(head+`<script/></svg>`)) }, "1 elements script, want 0"},
		"an address":             {func(t *testing.T) { Drawing(t, []byte(head+`<g fill="url(http://x)"/></svg>`)) }, "2 addresses"},
		"a style":                {func(t *testing.T) { Drawing(t, []byte(head+`<g style="x"/></svg>`)) }, "runs something"},
		"a handler":              {func(t *testing.T) { Drawing(t, []byte(head+`<g onclick="x"/></svg>`)) }, "runs something"},
		"no role":                {func(t *testing.T) { Drawing(t, []byte(strings.Replace(head, "role", "rule", 1)+`</svg>`)) }, `no role="img"`},
		"no words":               {func(t *testing.T) { Drawing(t, []byte(strings.Replace(head, "desc>d</desc", "g/", 1)+`</svg>`)) }, "0 elements desc"},
		"words":                  {func(t *testing.T) { Legible(t, toyPage(`<text x="9" y="50" class="s">hello</text>`)) }, ""},
		"words outside":          {func(t *testing.T) { Legible(t, toyPage(`<text x="690" y="50">hello</text>`)) }, "outside"},
		"words on words": {func(t *testing.T) {
			Legible(t, toyPage(`<text x="9" y="50">hello</text><text x="30" y="55">you</text>`))
		}, "on one another"},
		"small words": {func(t *testing.T) { Legible(t, toyPage(`<text x="9" y="50" class="tiny">hello</text>`)) }, "5.0 pixels high"},
		"faint words": {func(t *testing.T) {
			Legible(t, toyPage(`<rect width="99" height="99" fill="#fff"/><text x="9" y="50" class="on">hello</text>`))
		}, "stands out by 1.0"},
		"faint in the dark": {func(t *testing.T) { Legible(t, toyPage(`<text x="9" y="50" class="brown">hello</text>`)) }, "in mode 1"},
		"a golden":          {func(t *testing.T) { Golden(t, "rig.txt", []byte("one\ntwo\n")) }, ""},
		"another line":      {func(t *testing.T) { Golden(t, "rig.txt", []byte("one\nzwei\n")) }, "line 2:\n"},
		"a line more":       {func(t *testing.T) { Golden(t, "rig.txt", []byte("one\ntwo\n\n")) }, "got 4 lines, want 3"},
		"no golden":         {func(t *testing.T) { Golden(t, "none.txt", nil) }, "write it with -update"},
	}
	if name := os.Getenv("GAMETEST_RIG"); name != "" {
		rows[name].rig(t)
		return
	}
	for name, row := range rows {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRigsFail$")
		cmd.Env = append(os.Environ(), "GAMETEST_RIG="+name)
		out, err := cmd.CombinedOutput()
		if failed := err != nil; failed != (row.want != "") || !strings.Contains(string(out), row.want) {
			t.Errorf("%s: got %v and\n%s\nwant it to say %q", name, err, out, row.want)
		}
	}
}
