package live

import (
	"context"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Secrecy says what of a match is public now.
//
// A match alone on its seed can be watched while it runs, and is open once it is over. If the deal is all the luck (Mole
// Hill), the matches of a block share a seed, which also decides what the house plays for a bot that fails. Such a
// match is closed, including spectator view and result, until the last of its block is over. Which bot has which seat is
// public from the start, except in games with hidden teams: there names would help to guess the teams, and open with
// everything else. Of a void match that is when all of its round are over: the bots at its table may be dealt again, in the same seats.
type Secrecy struct {
	Watch      bool // spectator view and public events
	Names      bool // which bot has which seat
	Open       bool // everything: result, seed, record
	SharedSeed bool // others on the same seed are not over
	DealtAgain bool // it is void, and matches that may be between the same bots are not over
}

// Why says what a sealed match waits for; "" when nothing is sealed.
func (s Secrecy) Why() string {
	switch {
	case s.Open:
		return ""
	case s.SharedSeed:
		return "other matches are played on the same deal, so that all have the same luck: this one is shown when the last of them is over"
	case s.DealtAgain:
		return "which bot had which seat is shown when the matches that may be between the same bots are over"
	case !s.Names:
		return "roles, and which bot has which seat, are shown when the match is over; until then the seats have names for this table alone"
	}
	return ""
}

// Seals finds the secrecy of matches; it queries each tournament and each block once.
type Seals struct {
	matches *Matches
	shares  map[string]bool // by tournament: whether its matches may share a seed
	blocks  map[blockKey]block
}

// block is the matches on one seed: whether there are several, and whether all are over.
type block struct{ shared, over bool }

type blockKey struct {
	tournament   string
	round, block int
}

// Seals finds the secrecy of several matches.
func (x *Matches) Seals() *Seals {
	return &Seals{matches: x, shares: map[string]bool{}, blocks: map[blockKey]block{}}
}

// Of returns what is open of a match now.
func (x *Seals) Of(ctx context.Context, m tournament.Match) (Secrecy, error) {
	b, err := x.block(ctx, m)
	if err != nil {
		return Secrecy{}, err
	}
	over := b.over && m.Status.Over()
	if over && m.Status == tournament.MatchVoid && x.matches.engines.HiddenTeams(m.Game) {
		again, err := x.matches.store.Reader(ctx).IsDealtAgain(m)
		if err != nil {
			return Secrecy{}, err
		}
		over = !again
	}
	return x.matches.engines.secrecyOf(m, b.shared, over), nil
}

// block returns the block of m; where no matches share a seed m is alone, but for a replay.
func (x *Seals) block(ctx context.Context, m tournament.Match) (block, error) {
	var b block
	var err error
	if shares, err := x.mayShare(ctx, m.TournamentID); err != nil || !shares && m.ReplayedAs == "" {
		return block{over: m.Status.Over()}, err
	}
	key := blockKey{m.TournamentID, m.Round, m.Block}
	if m.TournamentID == "" {
		key.tournament = m.First()
	}
	if known, ok := x.blocks[key]; ok {
		return known, nil
	}
	b.shared, b.over, err = x.matches.store.Reader(ctx).Block(m)
	if err == nil {
		x.blocks[key] = b
	}
	return b, err
}

// mayShare reports whether matches of a tournament may share a seed: those of a duplicate block, and in a bracket the two that decide an
// even tie.
func (x *Seals) mayShare(ctx context.Context, tournamentID string) (bool, error) {
	if tournamentID == "" {
		return false, nil
	}
	if shares, known := x.shares[tournamentID]; known {
		return shares, nil
	}
	t, err := x.matches.store.Tournament(ctx, tournamentID)
	if err != nil {
		return false, err
	}
	bracket := t.Format == tournament.SingleElimination || t.Format == tournament.DoubleElimination || t.Options.Playoff != ""
	x.shares[t.ID] = t.Duplicate || bracket
	return x.shares[t.ID], nil
}

// SecrecyOf returns what is open of a match that is looked at.
func (e Engines) SecrecyOf(w store.Watched) Secrecy {
	return e.secrecyOf(w.Match, w.Shared, !w.Open && !(w.DealtAgain && e.HiddenTeams(w.Match.Game)))
}

// secrecyOf returns what is open of a match. shared: other matches have its seed; over: it is over, and so are those that its end would tell of.
func (e Engines) secrecyOf(m tournament.Match, shared, over bool) Secrecy {
	names := over || !e.HiddenTeams(m.Game)
	twins := shared && !over
	begun := m.Status == tournament.MatchRunning || m.Status == tournament.MatchDone
	return Secrecy{
		Watch:      !twins && begun,
		Names:      names,
		Open:       over,
		SharedSeed: twins,
		DealtAgain: m.Status == tournament.MatchVoid && !names,
	}
}
