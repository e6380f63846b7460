package main

import (
	"flag"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "draw the picture of the house in docs/6-contribute.md again")

// roomOf is the box of the picture that a package stands in: its top folder; in tournament and engines, where the layers lie
// inside, one folder deeper. The games and what belongs to them are one box.
func roomOf(pkg string) string {
	top, rest, _ := strings.Cut(pkg, "/")
	inner, _, _ := strings.Cut(rest, "/")
	switch {
	case pkg == "":
		return "main.go"
	case top == "tournament" && inner != "":
		return top + "/" + inner
	case top == "engines" && inner == "game":
		return "engines/game"
	}
	return top
}

// roomImports are the rooms that each room imports, itself aside; what serves tests alone is no part of the picture.
func roomImports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	rooms := map[string]map[string]bool{}
	for pkg, imported := range imports(t) {
		from := roomOf(pkg)
		if strings.HasPrefix(pkg, "internal/") {
			continue
		}
		if rooms[from] == nil {
			rooms[from] = map[string]bool{}
		}
		for name := range imported {
			own, ours := strings.CutPrefix(name, module+"/")
			if ours && roomOf(own) != from {
				rooms[from][roomOf(own)] = true
			}
		}
	}
	return rooms
}

// below adds to found every room that imports lead to from one.
func below(rooms map[string]map[string]bool, from string, found map[string]bool) {
	for next := range rooms[from] {
		if !found[next] {
			found[next] = true
			below(rooms, next, found)
		}
	}
}

// implied reports whether imports lead from one room to another by way of a third.
func implied(rooms map[string]map[string]bool, from, to string) bool {
	found := map[string]bool{}
	for next := range rooms[from] {
		if next != to {
			below(rooms, next, found)
		}
	}
	return found[to]
}

// drawHouse is the picture as a Mermaid flowchart. An arrow is left out where other arrows lead the same way.
func drawHouse(rooms map[string]map[string]bool) string {
	names := make([]string, 0, len(rooms))
	for name := range rooms {
		names = append(names, name)
	}
	slices.Sort(names)
	id := strings.NewReplacer("/", "_", ".", "_")
	var b strings.Builder
	b.WriteString("```mermaid\nflowchart TD\n")
	for _, name := range names {
		fmt.Fprintf(&b, "  %s[\"%s\"]\n", id.Replace(name), name)
	}
	for _, from := range names {
		for _, to := range names {
			if rooms[from][to] && !implied(rooms, from, to) {
				fmt.Fprintf(&b, "  %s --> %s\n", id.Replace(from), id.Replace(to))
			}
		}
	}
	b.WriteString("```\n")
	return b.String()
}

func TestThePictureOfTheHouseIsDrawnFromTheImports(t *testing.T) {
	const (
		page  = "docs/6-contribute.md"
		begin = "<!-- house: drawn by go generate . -->\n"
		end   = "<!-- /house -->\n"
	)
	rooms := roomImports(t)
	for name := range rooms {
		found := map[string]bool{}
		if below(rooms, name, found); found[name] {
			t.Fatalf("the imports of %s lead back to it: no picture with layers", name)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, begun := strings.Cut(string(text), begin)
	drawn, after, ended := strings.Cut(rest, end)
	if !begun || !ended {
		t.Fatalf("%s has no place for the picture, between %q and %q", page, begin, end)
	}
	want := drawHouse(rooms)
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if drawn != want {
		t.Errorf("the imports have changed since %s was drawn: run go generate . and look at it\ngot\n%s\nwant\n%s", page, drawn, want)
	}
}

func TestAnArrowThatOthersImplyIsNotDrawn(t *testing.T) {
	rooms := map[string]map[string]bool{
		"a": {"b": true, "c": true},
		"b": {"c": true},
		"c": {},
	}
	got := drawHouse(rooms)
	for arrow, want := range map[string]bool{
		"a --> b": true,
		"b --> c": true,
		"a --> c": false,
	} {
		if strings.Contains(got, arrow) != want {
			t.Errorf("%s drawn: %v, want %v, in\n%s", arrow, !want, want, got)
		}
	}
}

func TestTheTreeOfTheHouseNamesEveryFolder(t *testing.T) {
	text, err := os.ReadFile("docs/6-contribute.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```text\n")
	tree, _, closed := strings.Cut(rest, "```")
	if !closed {
		t.Fatal("docs/6-contribute.md has no tree of the house")
	}
	for pkg := range imports(t) {
		if pkg != "" && !strings.Contains(tree, path.Base(pkg)+"/") {
			t.Errorf("the tree of the house in docs/6-contribute.md does not name %s", pkg)
		}
	}
}
