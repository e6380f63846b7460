package scorecard

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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

// Run plays the matches of the plan and writes the card. A match in which every decision of the subject is a fault ends it, and
// is not kept: [ErrSubject].
func (v Evaluation) Run(ctx context.Context) (card.Card, error) {
	none := card.Card{}
	if err := v.keepsCard(); err != nil {
		return none, err
	}
	for _, step := range []func(context.Context, part, []matches.Bot, string) error{fits, v.play} { // nothing is played into a folder of others
		for _, id := range v.Games {
			p, err := v.Plan.part(id, v.Clock)
			if err != nil {
				return none, err
			}
			p.Beliefs = v.Beliefs
			field, err := p.field(v.Subject)
			if err == nil {
				err = step(ctx, p, field, filepath.Join(v.Dir, id))
			}
			if err != nil {
				return none, err
			}
		}
	}
	d := records(os.DirFS(v.Dir), false, v.AtOnce, func(string) ([32]byte, bool) { return [32]byte{}, false })
	d.decided = &decisions{}
	d.decided.zip = gzip.NewWriter(&d.decided.out)
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

// keepsCard refuses a folder whose card has games that are not played now: the new card would replace it.
func (v Evaluation) keepsCard() error {
	name := filepath.Join(v.Dir, CardFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	old, err := card.Read(b)
	if err != nil {
		return fmt.Errorf("%s: %w; take it out of the folder, and it is written again", name, err)
	}
	for _, g := range old.Games {
		if !slices.Contains(v.Games, g.Game) {
			return fmt.Errorf("%w: %s is a card with %s too, which this command would replace: play all its games, or choose another folder", ErrPlan, name, g.Game)
		}
	}
	return nil
}

// play plays the matches of a game that its folder does not hold.
func (v Evaluation) play(ctx context.Context, p part, field []matches.Bot, path string) error {
	folder, there, err := p.folder(path)
	if !there && err == nil {
		folder, err = matches.Create(path, p.Series)
	}
	if err != nil {
		return err
	}
	return v.Room.Run(ctx, &p.Series, field, folder, v.Program, v.AtOnce, func(m matches.Played) (bool, error) {
		if v.Tell != nil {
			v.Tell(p.Game, m.Number, p.Games)
		}
		for seat, player := range m.Players {
			if player == 0 && m.Failed.Has(game.Seat(seat)) {
				f := m.Faults[0]
				err := fmt.Errorf("%w: in match %d of %s every decision of %s was a fault, the first %s: %s", ErrSubject, m.Number, p.Game, v.Subject.Name, f.Kind, f.Reason)
				return false, errors.Join(err, os.Remove(m.File)) // whoever goes on plays it again
			}
		}
		return true, nil
	})
}

// fits refuses a folder of other matches or bots.
func fits(_ context.Context, p part, field []matches.Bot, path string) error {
	folder, there, err := p.folder(path)
	if !there || err != nil {
		return err
	}
	return folder.Fits(&p.Series, field)
}

// folder returns the folder of the records as an earlier run of the same plan has left it; false if there was none.
func (p part) folder(path string) (f matches.Folder, there bool, err error) {
	folder, was, err := matches.Load(path)
	if errors.Is(err, matches.ErrNone) {
		return folder, false, nil
	}
	if err != nil {
		return folder, true, err
	}
	d, err := matches.Differ(was, p.Series)
	if d != nil {
		err = fmt.Errorf("%w: the matches in %s have %s at %s, and this command asks for %s: go on as they began, or choose another folder", ErrPlan, path, cmp.Or(string(d.X), "null"), d.At, d.Y)
	}
	return folder, true, err
}

// write writes the card's files.
func (v Evaluation) write(c card.Card, decided []byte) error {
	b, err := c.JSON()
	if err != nil {
		return err
	}
	for name, body := range map[string][]byte{CardFile: b, card.DecisionsFile: decided, MarkdownFile: c.Markdown(), BadgeFile: c.Badge()} {
		if err := matches.Replace(filepath.Join(v.Dir, name), body); err != nil {
			return err
		}
	}
	return nil
}
