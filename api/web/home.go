package web

import (
	"cmp"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// homeTitle is what the site is, in a line.
const homeTitle = "Bots play games of moles"

// Home returns the home page.
func (s *Pages) Home(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	return s.cached(c, func() (cachedPage, error) {
		body, err := s.home(c)
		return cachedPage{body: body}, err
	})
}

func (s *Pages) home(c *gin.Context) ([]byte, error) {
	latest, list, tops, err := s.store.Home(c.Request.Context())
	if err != nil {
		return nil, err
	}
	out := pages.Home{Page: pages.Page{
		Title: homeTitle,
		About: "Bots play each other on exact rules: live matches, tournaments and ladders.",
		Card:  s.cardOf(c, ""),
		Live:  "/v1/events",
		At:    s.now(),
	}}
	out.Matches, out.Results = s.latest(latest)
	out.Featured = featured(out.Matches, out.Results)
	out.Tournaments = list
	if i := slices.IndexFunc(list, func(t tournament.Tournament) bool { return t.Status == tournament.Scheduled }); i >= 0 {
		out.Next = &list[i]
	}
	out.Games = s.cards(latest, tops)
	return s.site.Page("home", out)
}

// shownResults is how many results a page tells.
const shownResults = 8

// latest returns the matches that run, and what the last ones that are open came to.
func (s *Pages) latest(list []store.ListedMatch) ([]pages.MatchRow, []pages.MatchRow) {
	var running, results []pages.MatchRow
	for _, m := range list {
		row := s.matchRow(m)
		switch {
		case m.Match.Status == tournament.MatchRunning:
			row.When = s.now().Sub(*cmp.Or(m.Match.StartedAt, &m.Match.CreatedAt)).Round(time.Second).String()
			running = append(running, row)
		case row.Sealed == "" && len(results) < shownResults:
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
func (s *Pages) cards(latest []store.ListedMatch, tops []store.Top) []pages.GameCard {
	var out []pages.GameCard
	for _, e := range s.engines {
		card := s.card(e)
		for _, m := range latest {
			if m.Match.Game == card.GameID && m.Match.Status == tournament.MatchRunning {
				card.Running++
			}
		}
		for _, l := range tops {
			if l.Game == card.GameID {
				card.Best, card.BestID, card.Bots, card.Rated = l.Bot, l.BotID, l.Bots, l.Rated
				card.Rating = pages.Elo(l.Milli)
			}
		}
		out = append(out, card)
	}
	return out
}
