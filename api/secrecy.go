package api

import (
	"context"

	"github.com/molerun/molerun/tournament"
)

// secrecy is what of a match is open to everybody now.
//
// Matches of a duplicate block share one seed: the end of one shows the roles and the luck of the others. So such a match
// is shut, spectator view and result included, until the last of its block is over. A match alone on its seed can be
// watched while it runs, and is open once it is over. Which bot has which seat is open from the start, but in games with
// hidden teams only once all else is: there the names help to guess the teams.
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
	s      *Server
	shared map[string]bool // tournament → its blocks have several matches
	over   map[blockKey]bool
}

type blockKey struct {
	tournament   string
	round, block int
}

func (s *Server) newSeals() *seals {
	return &seals{s, map[string]bool{}, map[blockKey]bool{}}
}

func (x *seals) of(ctx context.Context, m tournament.Match) (secrecy, error) {
	shared, err := x.isShared(ctx, m)
	if err != nil {
		return secrecy{}, err
	}
	over := m.Status.Over()
	if over && shared {
		if over, err = x.blockOver(ctx, m); err != nil {
			return secrecy{}, err
		}
	}
	return x.s.secrecyOf(m, shared, over), nil
}

// secrecyOf is what is open of a match. shared: its tournament has several matches on one seed; over: it is over, and so are
// those that share its seed.
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

func (x *seals) isShared(ctx context.Context, m tournament.Match) (bool, error) {
	if m.TournamentID == "" {
		return false, nil
	}
	if shared, known := x.shared[m.TournamentID]; known {
		return shared, nil
	}
	t, err := x.s.store.Tournament(ctx, m.TournamentID)
	if err != nil {
		return false, err
	}
	x.shared[t.ID] = t.Duplicate
	return t.Duplicate, nil
}

func (x *seals) blockOver(ctx context.Context, m tournament.Match) (bool, error) {
	key := blockKey{m.TournamentID, m.Round, m.Block}
	if over, known := x.over[key]; known {
		return over, nil
	}
	over, err := x.s.store.BlockOver(ctx, m)
	if err == nil {
		x.over[key] = over
	}
	return over, err
}
