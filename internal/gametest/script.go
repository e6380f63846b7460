package gametest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// Script plays a state in short lines, and keeps the events.
type Script[C, S any, A comparable, V, E any] struct {
	Rules game.Rules[C, S, A, V, E]
	At    *S
	Luck  *game.Rand
	Told  game.Log[E]
	Wire  func(short string) string // an action given in short, as JSON; what starts with { is JSON already
}

// read returns the action of seat, if it is due and the action is legal.
func (x *Script[C, S, A, V, E]) read(seat game.Seat, short string) (a A, err error) {
	if !x.Rules.Due(x.At).Has(seat) {
		return a, fmt.Errorf("seat %d is not due", seat)
	}
	if !strings.HasPrefix(short, "{") {
		short = x.Wire(short)
	}
	if err := any(&a).(json.Unmarshaler).UnmarshalJSON([]byte(short)); err != nil {
		return a, err
	}
	return a, x.Rules.Legal(x.At, seat, a)
}

// Play plays lines like "0 pass". "0 pass | words" is a line that must be refused with those words. Lines joined by "&"
// are decided at once. What is legal is on the list, where there is one.
func (x *Script[C, S, A, V, E]) Play(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		line, refusal, refused := strings.Cut(line, " | ")
		var acts []game.Act[A]
		for _, part := range strings.Split(line, " & ") {
			n, _ := strconv.Atoi(part[:1])
			seat := game.Seat(n)
			a, err := x.read(seat, part[2:])
			switch {
			case refused && (err == nil || !strings.Contains(err.Error(), refusal)):
				t.Fatalf("%s: want a refusal with %q, got %v", line, refusal, err)
			case !refused && err != nil:
				t.Fatalf("%s: %v", line, err)
			}
			var o game.Offer[A]
			if x.Rules.Offer(x.At, seat, &o); err == nil && o.Forms == nil && !slices.Contains(o.List, a) {
				t.Fatalf("%s: it is legal and not on the list", line)
			}
			acts = append(acts, game.Act[A]{Seat: seat, Action: a})
		}
		if refused {
			continue
		}
		if want := x.Rules.Due(x.At).Len(); len(acts) != want {
			t.Fatalf("%s: %d seats are due", line, want)
		}
		x.Rules.Apply(x.At, acts, x.Luck, &x.Told)
	}
}

// Fact is what games have in common of what a test may want to know of a table: due and, once it is over, why, rank and points; "told.KIND"
// is how often an event of a kind was told to all. False if it is none of these.
func (x *Script[C, S, A, V, E]) Fact(key string) (string, bool) {
	switch key {
	case "due":
		return string(x.Rules.Due(x.At).AppendJSON(nil)), true
	case "why":
		return x.Rules.Result(x.At).Why, true
	case "rank":
		return strings.Trim(fmt.Sprint(x.Rules.Result(x.At).Rank), "[]"), true
	case "points":
		return strings.Trim(fmt.Sprint(x.Rules.Result(x.At).Points), "[]"), true
	}
	kind, told := strings.CutPrefix(key, "told.")
	n := 0
	for _, note := range x.Told.Notes {
		if note.For == game.All && strings.HasPrefix(string(JSON(note.Event)), `{"kind":"`+kind+`"`) {
			n++
		}
	}
	return strconv.Itoa(n), told
}

// Scripted is a table of a game.
type Scripted interface {
	Play(t *testing.T, lines ...string)
	Tell(key string) string // a fact
}

// Row is one case of the rules: what is set up, what is played, and what is so afterwards ("red: ruin; phase: over").
func Row(t *testing.T, name string, set func(t *testing.T) Scripted, plays []string, facts string) {
	t.Run(name, func(t *testing.T) {
		b := set(t)
		b.Play(t, plays...)
		for _, fact := range strings.Split(facts, ";") {
			key, want, _ := strings.Cut(strings.TrimSpace(fact), ":")
			if got := b.Tell(key); got != strings.TrimSpace(want) {
				t.Errorf("%s: want %q, got %q", key, strings.TrimSpace(want), got)
			}
		}
	})
}
