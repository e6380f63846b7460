package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
)

// Bounds of the parts of a look, in bytes.
const (
	maxHeard   = 1200 // what happened since the last turn; the oldest is left out
	maxActions = 1500 // the actions of one page
	maxReason  = 300  // why something of the last decision was dropped, or what was its fault
	maxForms   = 700  // forms in full; longer ones are named by their fields
)

// Turn is a decision that a seat is asked for.
type Turn struct {
	protocol.Turn             // with its Text
	Engine        game.Engine // of its game
	Left          time.Duration
}

// Quote returns text that somebody else wrote as one line in quotes, at most so many bytes of it: a model must be able to tell it
// from what we say.
func Quote(s string, most int) string {
	return `"` + strings.ReplaceAll(text.Escape(s, most), `"`, "'") + `"`
}

// Ending says how a match ended for a seat, by its rank and the teams by seat, where the game has teams.
func Ending(seat int, rank []int, teams []string) string {
	switch {
	case len(teams) == 0:
		return fmt.Sprintf("you came in place %d of %d", rank[seat], len(rank))
	case rank[seat] == 1:
		return "you won"
	}
	return "you lost"
}

// Look describes a turn in words: what the seat has heard and sees, and what it may do, the actions from the one of that number on.
func (t *Turn) Look(from int) (string, error) {
	info := t.Engine.Info()
	offer, err := kit.ParseOffer(t.Offer)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "turn: %s\nmatch: %s, %s (%s), step %d. You are seat %d of %d.\n", t.Decision, t.Match, info.Name, info.ID, t.Step, t.Seat, len(t.Opponents)+1)
	if t.Left > 0 {
		fmt.Fprintf(&b, "Time left for this decision: %d s.\n", int(t.Left.Seconds()))
	}
	if p := t.Previous; p != nil && p.Status != "ok" {
		fmt.Fprintf(&b, "Your last decision was a fault, and the house played: %s, %s.\n", p.Status, Quote(p.Reason, maxReason))
	} else if p != nil && p.Reason != "" {
		fmt.Fprintf(&b, "Of your last decision: %s.\n", Quote(p.Reason, maxReason))
	}
	fmt.Fprintf(&b, "%s %s (All of it: the tool rules.)\n\n", info.About.Is, info.About.Win)
	b.WriteString(shortened(t.Text) + "\n\nAct with this turn and choose:\n")
	list := append(offer.List, offer.Examples...)
	from = min(max(0, from), len(list))
	next := t.page(&b, list, from)
	if next < len(list) {
		fmt.Fprintf(&b, "%d more: look with from %d.\n", len(list)-next, next)
	}
	if len(offer.Forms) > 0 {
		b.WriteString("These are examples. Any other action that fits a form may be given as action; look with json true for all details:\n" + forms(offer.Forms, t.Offer))
	}
	if len(t.Asks) > 0 {
		b.WriteString("The match asks what you believe. With act you may give belief, a chance for each answer, 1 in all for each seat:\n")
		for _, q := range t.Asks {
			fmt.Fprintf(&b, "- about %s: %s\n", q.About, strings.Join(q.Answers, ", "))
		}
	}
	if info.Talk {
		b.WriteString("With act you may say words to the table.\n")
	}
	return b.String(), nil
}

// page writes as many actions as a page holds, and returns the number of the next.
func (t *Turn) page(b *strings.Builder, list []json.RawMessage, from int) int {
	for k, room := from, maxActions; k < len(list); k++ {
		line := fmt.Sprintf("%d: %s\n", k, cmp.Or(t.Engine.ActionWordsTo(list[k], t.Seat), string(list[k])))
		if room -= len(line); room < 0 && k > from {
			return k
		}
		b.WriteString(line)
	}
	return len(list)
}

// shortened leaves out the oldest lines of what a seat has heard where they are too many.
func shortened(words string) string {
	heard, view, two := strings.Cut(words, "\n\n")
	if !two || !strings.HasPrefix(heard, "Since your last turn:") || len(heard) <= maxHeard {
		return words
	}
	head, lines, _ := strings.Cut(heard, "\n")
	kept := lines[len(lines)-maxHeard:]
	_, kept, _ = strings.Cut(kept, "\n")
	return head + "\n- (earlier events are left out; look with json true for all)\n" + kept + "\n\n" + view
}

// forms describes forms: in full, or by their fields where that is too long.
func forms(list []kit.Form, offer json.RawMessage) string {
	var raw struct{ Forms []json.RawMessage }
	if err := json.Unmarshal(offer, &raw); err == nil {
		size := 0
		for _, f := range raw.Forms {
			size += len(f) + 1
		}
		if size <= maxForms {
			var b strings.Builder
			for _, f := range raw.Forms {
				b.Write(append(f, '\n'))
			}
			return b.String()
		}
	}
	seen, out := map[string]bool{}, ""
	for _, f := range list {
		line := "type " + f.Type
		for _, x := range f.Fields {
			line += ", " + x.Name
		}
		if !seen[line] {
			seen[line], out = true, out+line+"\n"
		}
	}
	return out
}

// details is a turn as JSON, for a model that wants to compute with it.
type details struct {
	Turn     string             `json:"turn"`
	Previous *protocol.Previous `json:"previous,omitempty"`
	Config   json.RawMessage    `json:"config"`
	Events   []json.RawMessage  `json:"events"`
	View     json.RawMessage    `json:"view"`
	Offer    json.RawMessage    `json:"offer"`
	Clock    protocol.Clock     `json:"clock"`

	Asks []protocol.Question `json:"asks,omitempty"`
}

// JSON returns the view and the whole offer as a bot behind a URL gets them.
func (t *Turn) JSON() (string, error) {
	b, err := json.Marshal(details{t.Decision, t.Previous, t.Config, t.Events, t.View, t.Offer, t.Clock, t.Asks})
	return string(b), err
}
