package cia

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// The agents.
const (
	grey Agent = iota
	yellow
	orange
	red
	green
	blue
	purple
)

// board is a table under test: a state, and the events so far.
type board struct {
	State
	gametest.Script[Config, State, Action, View, Event]
}

// newBoard sets up a table before the first move: seat 0 is active, all agents are in the church, the first five, six or
// seven are in play, seat i runs agent i, all hands, the deck and the discard are empty. edit changes that.
func newBoard(t *testing.T, config string, seats int, edit func(*board)) *board {
	t.Helper()
	c, err := gametest.ConfigOf(Rules{}, gametest.Case{Config: config, Seats: seats})
	must.OK(t, err)
	b := &board{}
	b.Rules, b.At, b.Luck, b.Wire = Rules{}, &b.State, game.Stream(game.Seed{7}, 0, "board"), b.wire
	b.start(c, seats)
	b.InPlay = 1<<agentsFor(seats) - 1
	for i := range seats {
		b.Agent[i] = Agent(i)
	}
	b.Turns, b.Roll = 1, 2
	if edit != nil {
		edit(b)
	}
	return b
}

func (b *board) hand(seat int, cards ...Card) {
	b.HandN[seat] = int8(copy(b.Hand[seat][:], cards))
}

func (b *board) deck(topLast ...Card)          { b.DeckN = int8(copy(b.Deck[:], topLast)) }
func (b *board) discarded(oldestFirst ...Card) { b.DiscardN = int8(copy(b.Discard[:], oldestFirst)) }

// at puts agents into buildings and stones on fields: "red@4 red=17".
func (b *board) at(words string) {
	for _, word := range strings.Fields(words) {
		if name, place, ok := strings.Cut(word, "@"); ok {
			to, _ := ParseBuilding(place)
			if a, ok := ParseAgent(name); ok {
				b.Pos[a] = to
			} else {
				b.Safe = to
			}
			continue
		}
		name, n, _ := strings.Cut(word, "=")
		a, _ := ParseAgent(name)
		field, _ := strconv.Atoi(n)
		b.Stone[a] = int16(field)
	}
}

// wire writes an action given in short: "move red=2 blue=1", "safe ruin", "pass", "card swap_agents red blue",
// "dossier red=0 blue=1" (dashes for the others).
func (b *board) wire(short string) string {
	words := strings.Fields(short)
	out := map[string]any{"type": words[0]}
	args := words[1:]
	if words[0] == "card" {
		out["card"], args = words[1], words[2:]
	}
	pairs := map[string]any{}
	if words[0] == "dossier" {
		for m := b.InPlay; m != 0; m &= m - 1 {
			pairs[m.Lowest().String()] = nil
		}
		out["owners"] = pairs
	}
	for _, word := range args {
		name, n, ok := strings.Cut(word, "=")
		switch {
		case ok:
			pairs[name], _ = strconv.Atoi(n)
		case words[0] == "safe" || words[0] == "card" && words[1] == "safe_anywhere":
			out["to"] = word
		default:
			list, _ := out["agents"].([]string)
			out["agents"] = append(list, word)
		}
	}
	if words[0] == "move" || words[0] == "card" && len(pairs) > 0 {
		out["steps"] = pairs
	}
	text, _ := json.Marshal(out)
	return string(text)
}

// Tell tells what a test may want to know of a table.
func (b *board) Tell(key string) string {
	if fact, common := b.Fact(key); common {
		return fact
	}
	name, rest, _ := strings.Cut(key, ".")
	seat, _ := strconv.Atoi(rest)
	switch name {
	case "safe":
		return b.Safe.String()
	case "phase":
		return b.Phase.String()
	case "turn":
		return strconv.Itoa(int(b.Turn))
	case "hand":
		return strings.Join(game.WordsOf(b.Hand[seat][:b.HandN[seat]]), ",")
	case "discard":
		return strings.Join(game.WordsOf(b.Discard[:b.DiscardN]), ",")
	case "deck":
		return strconv.Itoa(int(b.DeckN))
	case "removed":
		return strconv.Itoa(int(b.Removed))
	case "free":
		return strconv.Itoa(b.freeLeft())
	case "extra":
		return strings.Join(b.Extra[seat].words(), ",")
	case "drew":
		return strconv.FormatBool(b.Drew)
	case "filed":
		return strconv.FormatBool(b.Filed)
	case "passes":
		return strconv.Itoa(int(b.Passes))
	case "flags":
		var words []string
		for _, f := range b.Flags[:b.FlagN] {
			words = append(words, fmt.Sprintf("%s/%d", f.Agent, f.Seat))
		}
		return strings.Join(words, ",")
	}
	if a, ok := ParseAgent(name); ok && rest == "stone" {
		return strconv.Itoa(int(b.Stone[a]))
	} else if ok {
		return b.Pos[a].String()
	}
	return "no fact " + key
}

// row is a [gametest.Row] on a board.
type row struct {
	name   string
	config string
	seats  int
	edit   func(*board)
	play   []string
	want   string
}

func runRows(t *testing.T, rows []row) {
	t.Helper()
	for _, x := range rows {
		gametest.Row(t, x.name, func(t *testing.T) gametest.Scripted { return newBoard(t, x.config, x.seats, x.edit) }, x.play, x.want)
	}
}
