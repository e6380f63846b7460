package pages

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
)

// Move is a step in the list of moves, as everybody may know it while the match runs.
type Move struct {
	Step int    `json:"step"`
	Text string `json:"text"`          // what was done, in a sentence
	Key  string `json:"key,omitempty"` // why the step is one to jump to
}

// beat is what a replay keeps of a step for the list of moves and the chart: what everybody heard, and the score. It keeps words
// rather than events, which hold all that happened.
type beat struct {
	telling
	score game.Score // as a spectator sees it; without sides if the game does not score
}

// telling is what happened in a step as somebody saw it.
type telling struct {
	did   string   // the first event that is not talk, or else the talk, and after it the key moments; "": nothing was seen
	keys  []string // key moments
	quiet bool     // nothing happened that people look at
}

// tellingOf tells a step to a seat.
func tellingOf(events []game.Event, seat game.Seat) telling {
	var out telling
	var first *game.Event
	var rest []string
	for i := range events {
		e := &events[i]
		if !e.VisibleTo(seat) {
			continue
		}
		key := e.Key()
		if key != "" {
			out.keys = append(out.keys, key)
		}
		switch {
		case first == nil || first.IsTalk() && !e.IsTalk():
			first = e
		case key != "":
			rest = append(rest, sentenceTo(*e, seat))
		}
	}
	if out.quiet = first == nil || first.Quiet() && len(out.keys) == 0; first != nil {
		out.did = strings.Join(append([]string{sentenceTo(*first, seat)}, rest...), " ")
	}
	return out
}

// sentenceTo returns an event in a sentence; where everything is open it says whom alone the event reached.
func sentenceTo(e game.Event, seat game.Seat) string {
	if seat == game.Everything && e.For != game.All {
		return "To " + e.For.Words() + " alone: " + Sentence(e)
	}
	return Sentence(e)
}

// The pace at which a step's sentence is read.
const wordMS, leastMS = 250, 600

// dwell returns how long a step is looked at, in ms: no time if it is quiet, and twice as long if it is a key moment.
func (t telling) dwell(key bool) int {
	switch ms := max(leastMS, wordMS*len(strings.Fields(t.did))); {
	case key:
		return 2 * ms
	case t.quiet:
		return 0
	default:
		return ms
	}
}

// beatBytes and sideBytes are about what a beat takes beside its texts, and a side of its score.
const beatBytes, sideBytes = 96, 64

// bytes estimates the memory of the beat.
func (b beat) bytes() int {
	n := beatBytes + len(b.did) + sideBytes*len(b.score.Sides)
	for _, key := range b.keys {
		n += 16 + len(key)
	}
	return n
}

// beatOf takes down the step that was played last.
func beatOf(table game.Table, events []game.Event) (beat, error) {
	b := beat{telling: tellingOf(events, game.Spectator)}
	var err error
	if b.score, err = table.Score(game.Spectator); err != nil && !errors.Is(err, game.ErrUnsupported) {
		return b, err
	}
	return b, nil
}

// Moves returns at most most moves from a step on, with seats called by their names. open: with faults.
func (f *Replay) Moves(from, most int, open bool, names []string) []Move {
	var out []Move
	for step := from; step <= min(f.Last(), from+most-1); step++ {
		out = append(out, Move{Step: step, Text: f.words(step, f.beats[step].telling, open, names), Key: strings.Join(f.keys(step, open, names), ". ")})
	}
	return out
}

// words returns what happened, with seats called by their names.
func (t telling) words(names []string) string {
	if t.did == "" {
		return "Nothing that everybody sees."
	}
	return Named(t.did, names)
}

// words returns what happened in a step as somebody saw it. Where that is nothing, an open match says what the one seat due did.
func (f *Replay) words(step int, t telling, open bool, names []string) string {
	if t.did == "" && step == 0 {
		return "The match begins."
	}
	if t.did == "" && open && len(f.turns[step]) == 1 {
		if d := f.decided(f.turns[step][0], names); d.Does != "" {
			return d.Name + " " + d.Does + "."
		}
	}
	return t.words(names)
}

// momentsMost bounds how many key moments a page marks.
const momentsMost = 60

// Moments returns the moves that are key moments: what the game says, a change of the lead, and once open the decisions of the house,
// if they are not too many.
func (f *Replay) Moments(open bool, names []string) []Move {
	var out []Move
	for step := range f.beats {
		if keys := f.keys(step, open, names); len(keys) > 0 {
			out = append(out, Move{Step: step, Key: strings.Join(keys, ". ")})
		}
	}
	switch {
	case len(out) <= momentsMost:
		return out
	case open:
		return f.Moments(false, names)
	}
	return out[len(out)-momentsMost:]
}

// keys returns the reasons to jump to a step.
func (f *Replay) keys(step int, open bool, names []string) []string {
	var out []string
	for _, key := range f.beats[step].keys {
		out = append(out, Named(key, names))
	}
	if ahead := f.ahead[step]; ahead >= 0 && step > 0 && f.ahead[step-1] >= 0 && f.ahead[step-1] != ahead {
		out = append(out, "The lead goes to "+sideName(f.beats[step].score.Sides[ahead], names))
	}
	if !open {
		return out
	}
	for _, t := range f.turns[step] {
		if t.By == replay.ByHouse && t.Why != tournament.WhyRetired {
			out = append(out, fmt.Sprintf("The house decides for %s (%s)", nameOf(int(t.Seat), names), words(t.Why)))
		}
	}
	return out
}

// lead returns the side that was the last to be ahead of all others; -1 before any was.
func lead(sides []game.Side, before int) int {
	best, shared := -1, false
	for i, side := range sides {
		switch {
		case best < 0 || side.Points > sides[best].Points:
			best, shared = i, false
		case side.Points == sides[best].Points:
			shared = true
		}
	}
	if shared {
		return before
	}
	return best
}

// sideName returns the name of a side, with whose it is where one seat is known to have it.
func sideName(side game.Side, names []string) string {
	switch {
	case side.Name == "":
		return nameOf(int(side.Seats.Lowest()), names)
	case side.Seats.Len() == 1:
		return fmt.Sprintf("%s (%s)", side.Name, nameOf(int(side.Seats.Lowest()), names))
	}
	return side.Name
}

// standing says who is ahead: "Ahead: ann with 12 points, 3 more than ben."; "" where the game does not score, and once it is over.
func standing(score game.Score, names []string, over bool) string {
	if len(score.Sides) < 2 || over {
		return ""
	}
	sides := slices.Clone(score.Sides)
	slices.SortStableFunc(sides, func(a, b game.Side) int { return cmp.Compare(b.Points, a.Points) })
	level := 1
	for level < len(sides) && sides[level].Points == sides[0].Points {
		level++
	}
	var best []string
	for _, side := range sides[:level] {
		best = append(best, sideName(side, names))
	}
	has := counted(sides[0].Points, score.Of)
	switch {
	case level == len(sides):
		return "Level: all have " + has + "."
	case level > 1:
		return fmt.Sprintf("Ahead: %s, each with %s.", game.JoinWords(best...), has)
	}
	return fmt.Sprintf("Ahead: %s with %s, %s more than %s.", best[0], has, number(sides[0].Points-sides[1].Points), sideName(sides[1], names))
}

// nameOf returns the name of a seat.
func nameOf(seat int, names []string) string {
	if seat >= 0 && seat < len(names) {
		return names[seat]
	}
	return fmt.Sprintf("seat %d", seat)
}

// ScoreLine is a side of the score.
type ScoreLine struct {
	Name, Mark, Class string
	Seat              int     // -1: the side is no seat
	Points            float64 // after the step that is shown
}

// MomentCount returns how many key moments there are, in words: of very many the last are shown.
func (w Watch) MomentCount() string {
	if len(w.Moments) == momentsMost {
		return fmt.Sprint("last ", momentsMost)
	}
	return fmt.Sprint(len(w.Moments))
}

// Watch returns what the viewer begins with at a step, with at most so many moves around it.
func (f *Replay) Watch(who Look, step, moves int) Watch {
	w := Watch{
		Has:     true,
		Last:    f.Last(),
		Step:    step,
		Seat:    who.Seat,
		Opens:   who.Open && f.Hides(),
		Moments: f.Moments(who.Open, who.Names),
		Before:  -1,
		After:   -1,
	}
	score := f.beats[step].score // empty where the game does not score
	w.Of, w.Rest = score.Of, score.Rest
	for i, side := range score.Sides {
		line := ScoreLine{
			Name:   sideName(side, who.Names),
			Mark:   sideMark(side, score.Sides),
			Class:  sideClass(side, i),
			Seat:   -1,
			Points: side.Points,
		}
		if side.Name == "" {
			line.Seat = int(side.Seats.Lowest())
		}
		w.Sides = append(w.Sides, line)
	}
	w.Chart = f.Chart("The score by step; the table of moves beside it says the same in words.", w.Moments)
	from := step / moves * moves
	w.Moves = f.Moves(from, moves, who.Open, who.Names)
	if from > 0 {
		w.Before = from - 1
	}
	if from+moves <= f.Last() {
		w.After = from + moves
	}
	return w
}
