package director

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// luck is secret random bytes for one round of a tournament, from its seed, which is never revealed: whoever makes the round makes
// the same, and what is revealed of some of them says nothing of the others.
type luck struct{ *game.Rand }

// Read fills b; it does not fail.
func (l luck) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(l.IntN(256))
	}
	return len(b), nil
}

// deal makes the matches of blocks, in order; blocks are counted on from after. A block of the schedule whose matches share
// a seed is one block of matches; of any other each match is a block of its own. They share a seed only where that tells
// nobody anything ([game.Info].OneDeal): whoever saw the end of one match would know the secrets of the next. occasion tells
// the luck of matches made later for a round from that of its first ones: what was dealt once is never dealt again.
func (d *Director) deal(c *contest, number, after int, blocks []pairing.Block, occasion string) ([]tournament.Match, error) {
	deals := luck{game.Stream(c.t.Seed, number, "deals"+occasion)}
	var out []tournament.Match
	for _, b := range blocks {
		place := 0
		for i, g := range b.Games {
			if i == 0 || !c.info.OneDeal {
				after, place = after+1, 0
			}
			place++
			m := tournament.Match{
				TournamentID: c.t.ID, Round: number, Block: after, Number: place,
				Game: c.t.Game, RulesVersion: c.info.Version, Config: c.t.Config, Clock: c.t.Clock, Limits: c.t.Limits, Beliefs: c.t.Beliefs,
			}
			if place > 1 {
				m.Seed = out[len(out)-1].Seed
			}
			for seat, entry := range g.Seats {
				e := c.field[entry]
				m.Seats = append(m.Seats, tournament.MatchSeat{Seat: game.Seat(seat), BotID: e.BotID, BotName: e.BotName,
					VersionID: e.VersionID, OwnerID: e.OwnerID, Build: e.Build})
			}
			if err := d.draw(&m, deals); err != nil {
				return nil, err
			}
			out = append(out, m)
		}
	}
	return out, nil
}

// draw gives a match its id, its time, and what is drawn for it alone from a source of secret randomness: its seed unless it
// has one, its nonce, and the aliases of its seats.
func (d *Director) draw(m *tournament.Match, from io.Reader) error {
	var seed, names game.Seed
	for _, b := range [][]byte{seed[:], names[:], m.Nonce[:]} {
		if _, err := io.ReadFull(from, b); err != nil {
			return fmt.Errorf("randomness: %w", err)
		}
	}
	if m.Seed == (game.Seed{}) {
		m.Seed = seed
	}
	for seat, alias := range aliases(len(m.Seats), game.Stream(names, 0, "aliases")) {
		m.Seats[seat].Alias = alias
	}
	m.CreatedAt = d.now()
	var err error
	m.ID, err = d.newID()
	return err
}

// seed draws a fresh secret.
func (d *Director) seed() (game.Seed, error) {
	var seed game.Seed
	if _, err := io.ReadFull(d.opts.Rand, seed[:]); err != nil {
		return game.Seed{}, fmt.Errorf("randomness: %w", err)
	}
	return seed, nil
}

// newUnratedMatch returns an unrated match outside tournaments with luck of its own. table is who sits there, by seat.
func (d *Director) newUnratedMatch(engine game.Engine, config json.RawMessage, table []tournament.MatchSeat) (tournament.Match, error) {
	m := tournament.Match{
		Game: engine.Info().ID, RulesVersion: engine.Info().Version, Clock: tournament.DefaultClock(), Limits: tournament.DefaultFaultLimits(),
	}
	var err error
	if m.Config, err = engine.Configure(config, len(table)); err != nil {
		return m, err
	}
	for seat, s := range table {
		s.Seat = game.Seat(seat)
		m.Seats = append(m.Seats, s)
	}
	err = d.draw(&m, d.opts.Rand)
	return m, err
}

// save gives those matches that are rated their places on the ladder and adds them, with a job each
// that waits until a time; the zero time is now.
func (tx *txn) save(ctx context.Context, t tournament.Tournament, at time.Time, list []tournament.Match) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.rank(t, list); err != nil {
		return err
	}
	return tx.QueueMatches(ctx, at, list...)
}

// rank decides which matches of a tournament are rated, permanently, whatever paired them: what has no place on the ladder enters
// no rating, on line or fitted.
func (tx *txn) rank(t tournament.Tournament, list []tournament.Match) error {
	var rated []*tournament.Match
	for i := range list {
		m := &list[i]
		m.Rated, m.LadderID = t.Rated && !m.OneOwner(), ""
		if m.Rated {
			m.LadderID = t.LadderID
			rated = append(rated, m)
		}
	}
	if len(rated) == 0 {
		return nil
	}
	l, err := tx.LockLadder(t.LadderID)
	if err != nil {
		return err
	}
	for i, m := range rated {
		m.LadderSeq = l.LastSeq + 1 + int64(i)
	}
	return tx.GivePlaces(l.ID, l.LastSeq+int64(len(rated)))
}

func adjectives() []string {
	return []string{
		"amber", "ashen", "brave", "brisk", "bronze", "calm", "clever", "coral", "crimson", "dapper", "dusky", "eager",
		"fabled", "frosty", "gentle", "golden", "hazel", "humble", "indigo", "ivory", "jolly", "keen", "lively", "lunar",
		"mellow", "merry", "misty", "nimble", "noble", "olive", "opal", "patient", "plucky", "quiet", "rapid", "rosy",
		"rustic", "sandy", "silent", "silver", "sleepy", "solar", "stormy", "sunny", "tidy", "velvet", "violet", "witty",
	}
}

func animals() []string {
	return []string{
		"badger", "bat", "beaver", "bison", "crane", "crow", "deer", "dove", "duck", "eagle", "eel", "falcon",
		"ferret", "finch", "fox", "frog", "goose", "hare", "heron", "ibex", "jackal", "koala", "lark", "lemur",
		"lynx", "magpie", "marmot", "marten", "moose", "mouse", "newt", "otter", "owl", "panda", "puffin", "quail",
		"rabbit", "raven", "robin", "salmon", "seal", "shrew", "stoat", "swan", "toad", "trout", "vole", "wren",
	}
}

// aliases draws names for the seats of one match. No two share a word, so that people can distinguish them.
func aliases(seats int, r *game.Rand) []string {
	first, second := adjectives(), animals()
	game.Shuffle(r, first)
	game.Shuffle(r, second)
	out := make([]string, seats)
	for i := range out {
		out[i] = first[i] + "-" + second[i]
	}
	return out
}
