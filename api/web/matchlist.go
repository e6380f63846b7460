package web

import (
	"cmp"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Matches returns the page of all matches.
func (s *Pages) Matches(c *gin.Context) ([]byte, error) {
	ask := pages.Asking{
		Page:    pages.Page{Title: "Matches", About: "Every match of this platform, the newest first."},
		Name:    "match",
		Search:  pages.Choice{Key: "bot", Label: "Bot"},
		Choices: []pages.Choice{s.games(), states(tournament.MatchRunning, tournament.MatchQueued, tournament.MatchDone, tournament.MatchVoid)},
	}
	return listPage(s, c, "matches", ask, func(q map[string]string, p store.Page) (rows []pages.MatchRow, next string, err error) {
		f := store.MatchFilter{Game: q["game"], Status: tournament.MatchStatus(q["status"]), Named: s.Engines.Named()}
		if q["bot"] != "" {
			if f.BotID, err = s.Store.BotNamed(c.Request.Context(), q["bot"]); err != nil || f.BotID == "" { // nobody has that name
				return nil, "", err
			}
		}
		list, next, err := s.Store.ListMatches(c.Request.Context(), f, p)
		for _, m := range list {
			rows = append(rows, s.matchRow(m))
		}
		return rows, next, err
	})
}

// matchRow returns a match as everybody may see it now.
func (s *Pages) matchRow(r store.Watched) pages.MatchRow {
	m := r.Match
	sec := s.Engines.SecrecyOf(r)
	out := pages.MatchRow{
		ID:     m.ID,
		GameID: m.Game,
		Game:   s.Engines.NameOf(m.Game),
		Seats:  len(m.Seats),
		Sealed: sec.Why(),
		Status: string(m.Status),
		Steps:  m.Steps,
		At:     *cmp.Or(m.EndedAt, m.StartedAt, &m.CreatedAt),
	}
	engine, played := s.Engines.Find(m.Game)
	out.HasBoard = sec.Watch && played && engine.Info().Version == m.RulesVersion && s.samples[m.Game]() != nil
	out.In, out.InPath = partOf(m, r.Tournament)
	if !sec.Open {
		out.Steps = 0
	}
	if !sec.Names {
		for _, seat := range m.Seats { // at the table, as on the match's own page
			out.Players = append(out.Players, pages.MatchPlayer{Bot: seat.Alias})
		}
		return out
	}
	for _, seat := range m.Seats {
		out.Players = append(out.Players, pages.MatchPlayer{BotID: seat.BotID, Bot: seat.BotName})
	}
	if sec.Open && m.Result != nil && len(m.Result.Points) == len(m.Seats) {
		tellResult(&out, m)
	}
	return out
}

// tellResult adds to a row what came of its match: the winners first, then the others by their points.
func tellResult(out *pages.MatchRow, m tournament.Match) {
	best := []tournament.Verdict{tournament.Win, tournament.Draw, tournament.Loss}
	seats := make([]int, len(m.Seats))
	for i := range seats {
		seats[i] = i
	}
	slices.SortStableFunc(seats, func(a, b int) int {
		return cmp.Or(cmp.Compare(slices.Index(best, m.Seats[a].Verdict), slices.Index(best, m.Seats[b].Verdict)), cmp.Compare(m.Result.Points[b], m.Result.Points[a]))
	})
	players := make([]pages.MatchPlayer, len(seats))
	for k, i := range seats {
		player := out.Players[i]
		player.Verdict = string(m.Seats[i].Verdict)
		team := ""
		if team, player.Score = pages.ResultOf(*m.Result, i); team != "" {
			player.Score = ""
		}
		if team != "" && k == 0 && m.Seats[i].Verdict == tournament.Win {
			out.Outcome = "The " + team + "s won"
		}
		players[k] = player
	}
	out.Players = players
}

// partOf returns what a match is part of, with what its tournament is called, and the path of its page; both "" for a challenge.
func partOf(m tournament.Match, name string) (what, path string) {
	switch {
	case m.TournamentID != "":
		return name, "/tournaments/" + m.TournamentID
	case m.LadderID != "":
		return "the ladder", "/ladders/" + m.LadderID
	}
	return "", ""
}
