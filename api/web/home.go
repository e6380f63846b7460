package web

import (
	"context"
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// homeTitle is what the site is, in a line.
const homeTitle = "Bots play games of moles"

// Home returns the home page.
func (s *Pages) Home(c *gin.Context) ([]byte, error) {
	return s.cached(c, func() (cachedPage, error) {
		body, err := s.home(c)
		return cachedPage{body: body}, err
	})
}

func (s *Pages) home(c *gin.Context) ([]byte, error) {
	ctx := c.Request.Context()
	latest, list, tops, err := s.Store.Home(ctx)
	if err != nil {
		return nil, err
	}
	schedules, err := s.Store.ComingSchedules(ctx, maxSchedules)
	if err != nil {
		return nil, err
	}
	out := pages.Home{Page: pages.Page{
		Title: homeTitle,
		About: "Bots play each other on exact rules: live matches, tournaments and ladders.",
		Card:  s.cardOf(c, ""),
		Live:  "/v1/events",
		At:    s.Now(),
	}}
	out.Matches, out.Results = s.latest(latest)
	out.Featured = featured(out.Matches, out.Results)
	var announced []tournament.Tournament
	for _, t := range list {
		switch {
		case t.EndedAt != nil:
			out.Over = append(out.Over, t)
		case t.Status == tournament.Scheduled:
			announced = append(announced, t)
		default:
			out.Running = append(out.Running, t)
		}
	}
	if out.Featured != nil {
		out.Featured.Stake = stakeOf(latest, out.Featured.ID, out.Running)
	}
	out.Coming = coming(announced, schedules)
	if len(out.Coming) > 0 {
		out.Next, out.Coming = &out.Coming[0], out.Coming[1:]
	}
	out.Coming, out.Running, out.Over = first(out.Coming), first(out.Running), first(out.Over)
	out.Games = s.cards(latest, tops)
	out.Matches, out.Results = first(out.Matches), first(out.Results)
	return s.site.Page("home", out)
}

// first returns as many rows of a list as the first page shows.
func first[R any](rows []R) []R { return rows[:min(shownStarts, len(rows))] }

// stakeOf says what hangs on a match.
func stakeOf(latest []store.Watched, id string, running []tournament.Tournament) string {
	i := slices.IndexFunc(latest, func(m store.Watched) bool { return m.Match.ID == id })
	m := latest[i].Match
	rated := "Nothing is rated."
	if m.Rated {
		rated = "It moves its bots on the ladder."
	}
	k := slices.IndexFunc(running, func(t tournament.Tournament) bool { return t.ID == m.TournamentID })
	if k < 0 {
		return rated
	}
	what := "points for the standings"
	switch t := running[k]; {
	case t.Format == tournament.SingleElimination:
		what = "who loses is out"
	case t.Format == tournament.DoubleElimination:
		what = "who loses twice is out"
	case t.Format == tournament.SPRT:
		what = "whether the first is the stronger"
	case t.Options.Playoff != "":
		what = "a place in the playoff"
	}
	return fmt.Sprintf("Round %d of %s: %s. %s", m.Round, running[k].Name, what, rated)
}

// latest returns the matches that run, and what the last ones that are open came to.
func (s *Pages) latest(list []store.Watched) ([]pages.MatchRow, []pages.MatchRow) {
	var running, results []pages.MatchRow
	for _, m := range list {
		row := s.matchRow(m)
		switch {
		case m.Match.Status == tournament.MatchRunning:
			running = append(running, row)
		case row.Sealed == "":
			results = append(results, row)
		}
	}
	return running, results
}

// featured returns a match with a board that everybody may see: one that runs, else the last result.
func featured(running, results []pages.MatchRow) *pages.MatchRow {
	for _, list := range [][]pages.MatchRow{running, results} {
		for _, m := range list {
			if m.HasBoard {
				return &m
			}
		}
	}
	return nil
}

// cards returns all games with their matches.
func (s *Pages) cards(latest []store.Watched, tops []store.Top) []pages.GameCard {
	var out []pages.GameCard
	for _, e := range s.Engines {
		card := s.card(e)
		for _, m := range latest {
			if m.Match.Game == card.GameID && m.Match.Status == tournament.MatchRunning {
				card.Running++
			}
		}
		for _, l := range tops {
			top := pages.LadderTop{Ladder: l.Ladder, Best: l.Bot, BestID: l.BotID, Ranked: l.Ranked, Past: l.Past, Rating: pages.Elo(l.Milli), Bots: l.Bots}
			switch {
			case l.Ladder.Game != card.GameID:
			case l.Ladder.IsBase():
				card.LadderTop = top
			default:
				card.Others = append(card.Others, top)
			}
		}
		out = append(out, card)
	}
	return out
}

const (
	// maxSchedules is how many schedules are looked at for what comes.
	maxSchedules = 50
	// startsAhead is how many starts of a schedule are announced before they are made.
	startsAhead = 2
	// shownStarts is how many coming starts a page lists.
	shownStarts = 6
)

// coming returns what schedules will announce and what is announced, the first start first.
func coming(announced []tournament.Tournament, schedules []store.ComingSchedule) []pages.Coming {
	var out []pages.Coming
	for _, t := range announced {
		out = append(out, pages.Coming{Tournament: t})
	}
	for _, x := range schedules {
		for _, t := range x.Announced(startsAhead) {
			out = append(out, pages.Coming{Tournament: t, Series: x.Series})
		}
	}
	slices.SortStableFunc(out, func(a, b pages.Coming) int { return a.StartsAt.Compare(b.StartsAt) })
	return out
}

// scheduled returns what schedules will announce, the first start first.
func (s *Pages) scheduled(ctx context.Context) ([]pages.Coming, error) {
	schedules, err := s.Store.ComingSchedules(ctx, maxSchedules)
	if err != nil {
		return nil, err
	}
	return coming(nil, schedules), nil
}
