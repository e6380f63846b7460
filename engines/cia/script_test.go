package cia

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
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
	r    *game.Rand
	told game.Log[Event]
}

// newBoard sets up a table before the first move: seat 0 is active, all agents are in the church, the first five, six or
// seven are in play, seat i runs agent i, all hands, the deck and the discard are empty. edit changes that.
func newBoard(t *testing.T, config string, seats int, edit func(*board)) *board {
	t.Helper()
	c, err := readConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Rules{}).Validate(c, seats); err != nil {
		t.Fatal(err)
	}
	b := &board{r: game.Stream(game.Seed{7}, 0, "board")}
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

func readConfig(config string) (Config, error) {
	c := Rules{}.Defaults()
	if config == "" {
		return c, nil
	}
	return c, strict.Merge([]byte(config), &c)
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
// "dossier red=0 blue=1" (dashes for the others). Anything that starts with { is JSON already.
func (b *board) wire(short string) string {
	if strings.HasPrefix(short, "{") {
		return short
	}
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

// read returns the action of seat, if it is due and the action is legal.
func (b *board) read(seat game.Seat, short string) (a Action, err error) {
	if !(Rules{}).Due(&b.State).Has(seat) {
		return a, fmt.Errorf("seat %d is not due in phase %s", seat, b.Phase)
	}
	if err := a.UnmarshalJSON([]byte(b.wire(short))); err != nil {
		return a, err
	}
	return a, Rules{}.Legal(&b.State, seat, a)
}

// play plays lines like "0 pass". "0 pass | words" is a line that must be refused with those words. Lines joined by "&"
// are decided at once.
func (b *board) play(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		line, refusal, refused := strings.Cut(line, " | ")
		var acts []game.Act[Action]
		for _, part := range strings.Split(line, " & ") {
			seat, _ := strconv.Atoi(part[:1])
			a, err := b.read(game.Seat(seat), part[2:])
			if refused {
				if err == nil || !strings.Contains(err.Error(), refusal) {
					t.Fatalf("%s: want a refusal with %q, got %v", line, refusal, err)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			acts = append(acts, game.Act[Action]{Seat: game.Seat(seat), Action: a})
		}
		if !refused {
			if want := (Rules{}).Due(&b.State).Len(); len(acts) != want {
				t.Fatalf("%s: %d seats are due", line, want)
			}
			Rules{}.Apply(&b.State, acts, b.r, &b.told)
		}
	}
}

// facts tells what a test may want to know of a table.
func (b *board) fact(key string) string {
	name, rest, _ := strings.Cut(key, ".")
	seat, _ := strconv.Atoi(rest)
	switch name {
	case "safe":
		return b.Safe.String()
	case "phase":
		return b.Phase.String()
	case "due":
		return string((Rules{}).Due(&b.State).AppendJSON(nil))
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
	case "why":
		return Rules{}.Result(&b.State).Why
	case "rank":
		return strings.Trim(fmt.Sprint(Rules{}.Result(&b.State).Rank), "[]")
	case "points":
		return strings.Trim(fmt.Sprint(Rules{}.Result(&b.State).Points), "[]")
	case "told": // how often an event of this kind was told to all
		n := 0
		for _, note := range b.told.Notes {
			text, _ := json.Marshal(note.Event)
			if note.For == game.All && strings.HasPrefix(string(text), `{"kind":"`+rest+`"`) {
				n++
			}
		}
		return strconv.Itoa(n)
	}
	if a, ok := ParseAgent(name); ok && rest == "stone" {
		return strconv.Itoa(int(b.Stone[a]))
	} else if ok {
		return b.Pos[a].String()
	}
	return "no fact " + key
}

// row is one case of the rules: what is set up, what is played, and what is so afterwards ("red: ruin; phase: over").
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
		t.Run(x.name, func(t *testing.T) {
			b := newBoard(t, x.config, x.seats, x.edit)
			b.play(t, x.play...)
			for _, fact := range strings.Split(x.want, ";") {
				key, want, _ := strings.Cut(strings.TrimSpace(fact), ":")
				if got := b.fact(key); got != strings.TrimSpace(want) {
					t.Errorf("%s: want %q, got %q", key, strings.TrimSpace(want), got)
				}
			}
		})
	}
}
