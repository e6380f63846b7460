package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/pairing"
)

// roundsOf fills in the rounds, the current one by itself, and the bracket. They name who has the places now, by which ties are followed;
// [Pages.nameThen] comes last.
func (s *Pages) roundsOf(out *pages.Tournament, board director.Scoreboard) {
	seen := live.RoundsOf(board.Contest, tournament.Roster{Entries: board.Entries}, s.Engines.HiddenTeams(board.Tournament.Game))
	all := make([]pages.Round, len(seen))
	for i, r := range board.Contest.Rounds {
		all[i] = roundOf(seen[i], r)
	}
	pages.CountTies(all)
	var bracket []pages.Round
	for i := range all {
		tied := all[i]
		tied.Tables = append(slices.Clip(tied.Tables), forfeited(board.Contest, seen[i])...)
		nameSides(tied, board.Entries)
		if eliminates(board.Tournament.Format) || i >= board.Contest.Playoff() {
			bracket = append(bracket, tied)
		}
	}
	pages.Call(all)
	out.Bracket = pages.BracketOf(bracket)
	pages.Join(out.Bracket)
	if len(all) == 0 {
		return
	}
	now := slices.IndexFunc(all, func(r pages.Round) bool { return r.Over() < len(r.Tables) })
	if now < 0 {
		now = len(all) - 1
	}
	out.Now, out.Earlier, out.Later = &all[now], all[:now:now], all[now+1:]
	slices.Reverse(out.Earlier)
	out.Before, out.After = len(out.Earlier), len(out.Later)
	out.Earlier, out.Later = shown(out.Earlier), shown(out.Later)
}

// stage describes the part of a tournament that a match belongs to.
type stage struct {
	name     string // as people say it within a sentence: "semi-final", "round 3"
	knockout bool
	place    string // what the match is for, if it is for one of the first places
}

// stageOf returns what a tournament calls the part that a match of a round is in: its tie or, of a void match that was played again, all ties of
// the round.
func (s *Pages) stageOf(ctx context.Context, tournamentID string, round int, match string) (stage, error) {
	r, err := s.Director.Round(ctx, tournamentID, round)
	if errors.Is(err, tournament.ErrNotFound) { // it is older than the table of rounds
		return stage{name: fmt.Sprintf("round %d", round)}, nil
	}
	if err != nil {
		return stage{}, err
	}
	var ties []string
	for _, b := range r.Blocks {
		if slices.Contains(b.Matches(), match) {
			ties = []string{b.Name}
			break
		}
		ties = append(ties, b.Name)
	}
	name := pages.StageName(ties)
	out := stage{name: name, knockout: name != ""}
	if !out.knockout {
		out.name = fmt.Sprintf("round %d", round)
	}
	switch {
	case name == pairing.ThirdTie:
		out.place = "the third place"
	case name == pairing.FinalTie:
		out.place = "the first place"
	case r.Final: // of groups
		out.name, out.place = pairing.FinalTie, "the first place"
	}
	return out, nil
}

// maxTables bounds the tables of the rounds before the current one, and of those after it: more are read from the API.
const maxTables = 2048

// shown returns as many of the first rounds, at least one, as a page has room for.
func shown(rounds []pages.Round) []pages.Round {
	tables := 0
	for i, r := range rounds {
		if tables += len(r.Tables); i > 0 && tables > maxTables {
			return rounds[:i]
		}
	}
	return rounds
}

// nameThen names in the rounds whoever a substitute has replaced since.
func (s *Pages) nameThen(out *pages.Tournament, board director.Scoreboard) {
	if len(board.Out) == 0 || out.Now == nil {
		return
	}
	all := slices.AppendSeq(slices.Clone(board.Entries), maps.Values(board.Out))
	then := live.RoundsOf(board.Contest, board.Roster, s.Engines.HiddenTeams(board.Tournament.Game))
	rename := func(r *pages.Round) {
		past := roundOf(then[r.Number-1], board.Contest.Rounds[r.Number-1])
		r.Byes, r.Notes = past.Byes, past.Notes
		for i, t := range past.Tables {
			for k, side := range t.Sides {
				r.Tables[i].Sides[k].Bot = side.Bot
			}
		}
		nameSides(*r, all)
	}
	rename(out.Now)
	for _, list := range [][]pages.Round{out.Earlier, out.Later} {
		for i := range list {
			rename(&list[i])
		}
	}
	place := map[string]int{}
	for i, e := range board.Entries {
		place[e.BotName] = i
	}
	for i, r := range out.Bracket {
		for _, t := range r.Tables {
			for k, side := range t.Sides { // of two that played one tie: who came to its end
				t.Sides[k].Bot = board.In(place[side.Bot], t.Round).BotName
			}
		}
		for k, bot := range r.Byes {
			out.Bracket[i].Byes[k] = board.In(place[bot], r.Number).BotName
		}
		nameSides(r, all)
	}
}
