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
		if out.Featured.Stake, err = s.stakeOf(ctx, latest, out.Featured.ID, out.Running); err != nil {
			return nil, err
		}
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
func (s *Pages) stakeOf(ctx context.Context, latest []store.Watched, id string, running []tournament.Tournament) (string, error) {
	i := slices.IndexFunc(latest, func(m store.Watched) bool { return m.Match.ID == id })
	m := latest[i].Match
	rated := "Nothing is rated."
	if m.Rated {
		rated = "It moves its bots on the ladder."
	}
	k := slices.IndexFunc(running, func(t tournament.Tournament) bool { return t.ID == m.TournamentID })
	if k < 0 {
		return rated, nil
	}
	in, err := s.stageOf(ctx, m.TournamentID, m.Round, m.ID)
	return fmt.Sprintf("%s of %s: %s. %s", pages.Capital(in.name), running[k].Name, stakeWords(running[k], in), rated), err
}

// stakeWords says what hangs on a match of a tournament at a stage.
func stakeWords(t tournament.Tournament, in stage) string {
	format := t.Format
	if in.knockout && t.Options.Playoff != "" {
		format = t.Options.Playoff
	}
	switch {
	case in.place != "":
		return in.place
	case format == tournament.SingleElimination:
		return "who loses is out"
	case format == tournament.DoubleElimination:
		return "who loses twice is out"
	case format == tournament.SPRT:
		return "whether the first is the stronger"
	case t.Options.Playoff != "":
		return "a place in the playoff"
	}
	return "points for the standings"
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
