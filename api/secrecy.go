package api

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// secrecy is what of a match is open to everybody now.
//
// A match alone on its seed can be watched while it runs, and is open once it is over. Where the
// deal is all the luck (Mole Hill) the matches of a duplicate block share a seed, and it decides what the house plays for a bot that fails: such a match is shut, spectator
// view and result included, until the last of its block is over. Which bot has which seat is open from the start, but in
// games with hidden teams only once all else is: there the names help to guess the teams.
type secrecy struct {
	watch bool // spectator view and public events
	names bool // which bot has which seat
	open  bool // all: result, seed, record
	twins bool // others on the same seed are not over
}

// why tells people what they are waiting for; "" when nothing is sealed.
func (s secrecy) why() string {
	switch {
	case s.open:
		return ""
	case s.twins:
		return "other matches are played on the same seed: this one is shown when the last of them is over"
	case !s.names:
		return "this game has hidden teams: the bots are named when the match is over"
	}
	return ""
}

// seals finds the secrecy of matches, asking for each tournament and each block once.
type seals struct {
	s         *Server
	duplicate map[string]bool // by tournament
	blocks    map[blockKey]block
}

// block is the matches on one seed: whether there are several, and whether all are over.
type block struct{ shared, over bool }

type blockKey struct {
	tournament   string
	round, block int
}

func (s *Server) newSeals() *seals {
	return &seals{s, map[string]bool{}, map[blockKey]block{}}
}

func (x *seals) of(ctx context.Context, m tournament.Match) (secrecy, error) {
	b, err := x.block(ctx, m)
	if err != nil {
		return secrecy{}, err
	}
	return x.s.secrecyOf(m, b.shared, b.over && m.Status.Over()), nil
}

// block is that of m; outside duplicate tournaments m is alone, but for a replay.
func (x *seals) block(ctx context.Context, m tournament.Match) (b block, err error) {
	if duplicate, err := x.isDuplicate(ctx, m.TournamentID); err != nil || !duplicate && m.ReplayedAs == "" {
		return block{over: m.Status.Over()}, err
	}
	key := blockKey{m.TournamentID, m.Round, m.Block}
	if m.TournamentID == "" {
		key.tournament = m.First()
	}
	if known, ok := x.blocks[key]; ok {
		return known, nil
	}
	b.shared, b.over, err = x.s.store.Block(ctx, m)
	if err == nil {
		x.blocks[key] = b
	}
	return b, err
}

func (x *seals) isDuplicate(ctx context.Context, tournamentID string) (bool, error) {
	if tournamentID == "" {
		return false, nil
	}
	if duplicate, known := x.duplicate[tournamentID]; known {
		return duplicate, nil
	}
	t, err := x.s.store.Tournament(ctx, tournamentID)
	if err != nil {
		return false, err
	}
	x.duplicate[t.ID] = t.Duplicate
	return t.Duplicate, nil
}

// secrecyOf is what is open of a match. shared: other matches are on its seed; over: it is over, and so are they.
func (s *Server) secrecyOf(m tournament.Match, shared, over bool) secrecy {
	names, twins := over || !s.hiddenTeams(m.Game), shared && !over
	return secrecy{
		watch: !twins && (m.Status == tournament.MatchRunning || m.Status == tournament.MatchDone),
		names: names, open: over, twins: twins,
	}
}

// hiddenTeams tells whether a game has teams to guess; of a game that is not played here any more nothing is told.
func (s *Server) hiddenTeams(id string) bool {
	e, ok := s.find(id)
	return !ok || e.Info().Teams
}
