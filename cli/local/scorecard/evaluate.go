package scorecard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/bots/pool"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

// The files of a card in its folder, beside a folder of records for each game.
const (
	CardFile     = "card.json"
	MarkdownFile = "card.md"
	BadgeFile    = "badge.svg"
)

// ErrSubject means that the subject cannot be evaluated: it decides nothing itself.
var ErrSubject = errors.New("no_decisions")

// Evaluation is a plan to be played by a subject.
type Evaluation struct {
	Room    *matches.Room
	Subject matches.Bot
	Plan    Plan
	Pool    card.Pool // of this program
	Games   []string  // of the plan
	Clock   card.Clock
	Beliefs bool   // the subject is asked what it believes of that which it cannot see
	Program string // with its version
	Dir     string // keeps the card and the records; the matches that are there already are not played again
	AtOnce  int    // matches
	Tell    Progress
}

// Here returns the pool of this program. It takes a second.
func Here(ctx context.Context) (card.Pool, error) {
	hash, err := pool.Hash(ctx, catalog.Find)
	return card.Pool{Version: pool.Version, Hash: hash}, err
}

// Run plays the matches of the plan and writes the card. A match in which every decision of the subject is a fault ends it: [ErrSubject].
func (v Evaluation) Run(ctx context.Context) (card.Card, error) {
	none := card.Card{}
	for _, id := range v.Games {
		if err := v.play(ctx, id); err != nil {
			return none, err
		}
	}
	d := records(os.DirFS(v.Dir), false, v.AtOnce, func(string) ([32]byte, bool) { return [32]byte{}, false })
	d.decided = newDecisions()
	out, err := d.derive(ctx, card.Card{
		Subject: card.Subject{Name: v.Subject.Name, Build: v.Subject.Build}, Program: v.Program, Clock: v.Clock,
		Plan: card.Plan{Name: v.Plan.Name, Hash: v.Plan.Hash()}, Pool: v.Pool,
	}, v.Plan, v.Games)
	if err != nil {
		return none, err
	}
	decided, err := d.decided.bytes()
	if err != nil {
		return none, err
	}
	return out, v.write(out, decided)
}

// play plays the matches of a game that the folder does not hold.
func (v Evaluation) play(ctx context.Context, id string) error {
	p, err := v.Plan.part(id, v.Clock)
	if err != nil {
		return err
	}
	p.Beliefs = v.Beliefs
	field, err := p.field(v.Subject)
	if err != nil {
		return err
	}
	folder, err := p.folder(filepath.Join(v.Dir, id))
	if err != nil {
		return err
	}
	return v.Room.Run(ctx, &p.Series, field, folder, v.Program, v.AtOnce, func(m matches.Played) (bool, error) {
		if v.Tell != nil {
			v.Tell(id, m.Number, p.Games)
		}
		for seat, player := range m.Players {
			if player == 0 && m.Failed.Has(game.Seat(seat)) {
				f := m.Faults[0]
				return false, fmt.Errorf("%w: in match %d of %s every decision of %s was a fault, the first %s: %s", ErrSubject, m.Number, id, v.Subject.Name, f.Kind, f.Reason)
			}
		}
		return true, nil
	})
}

// folder returns the folder of the records, new or as an earlier run of the same plan has left it.
func (p part) folder(path string) (matches.Folder, error) {
	folder, was, err := matches.Load(path)
	if err != nil {
		return matches.Create(path, p.Series)
	}
	a, errA := json.Marshal(was)
	b, errB := json.Marshal(p.Series)
	if err := errors.Join(errA, errB); err != nil {
		return folder, err
	}
	if !bytes.Equal(a, b) {
		return folder, fmt.Errorf("%w: %s holds other matches: choose another folder", ErrPlan, path)
	}
	return folder, nil
}

// write writes the card's files.
func (v Evaluation) write(c card.Card, decided []byte) error {
	b, err := c.JSON()
	if err != nil {
		return err
	}
	for name, body := range map[string][]byte{CardFile: b, card.DecisionsFile: decided, MarkdownFile: c.Markdown(), BadgeFile: c.Badge()} {
		if err := os.WriteFile(filepath.Join(v.Dir, name), body, 0o644); err != nil { // cards are for everybody
			return err
		}
	}
	return nil
}
