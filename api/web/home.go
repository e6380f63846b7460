package web

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
)

// Home is the page of what is going on.
//
// @Summary	What is going on, for people
// @Tags		pages
// @Produce	text/html
// @Success	200	{string}	string	"a page"
// @Router		/ [get]
func (s *Pages) Home(c *gin.Context) ([]byte, error) {
	if _, err := httpx.Query(c); err != nil {
		return nil, err
	}
	live, cups, tops, err := s.store.Home(c.Request.Context())
	if err != nil {
		return nil, err
	}
	out := pages.Home{Page: pages.Page{
		Title: "Tournaments of bots",
		About: "Bots play each other on exact rules: live matches, tournaments and ladders.",
		Live:  "/v1/events",
		At:    s.now(),
	}}
	for _, m := range live {
		l := pages.LiveMatch{
			ID:     m.ID,
			Game:   s.gameName(m.Game),
			Seats:  m.Seats,
			Sealed: m.Shared,
			Since:  s.now().Sub(m.StartedAt).Round(time.Second).String(),
		}
		switch {
		case m.TournamentID != "":
			l.In, l.InPath = m.TournamentName, "/tournaments/"+m.TournamentID
		case m.LadderID != "":
			l.In, l.InPath = "the ladder", "/ladders/"+m.LadderID
		}
		out.Matches = append(out.Matches, l)
	}
	for _, t := range cups {
		out.Cups = append(out.Cups, s.cup(t))
	}
	for _, l := range tops {
		line := pages.LadderLine{
			ID:     l.ID,
			Game:   s.gameName(l.Game),
			Best:   l.Bot,
			BestID: l.BotID,
			Bots:   l.Bots,
			Rated:  l.Rated,
		}
		if l.Bot != "" {
			line.Rating = points(tournament.Elo(l.Milli))
		}
		out.Ladders = append(out.Ladders, line)
	}
	for _, e := range s.engines {
		if path := s.rulesPath(e.Info().ID); path != "" {
			out.Rules = append(out.Rules, pages.Rules{Game: e.Info().Name, Path: path})
		}
	}
	return s.site.Home(out)
}

// cup is a tournament in a list.
func (s *Pages) cup(t tournament.Tournament) pages.Cup {
	when := "starts " + day(t.StartsAt)
	switch {
	case t.EndedAt != nil:
		when = "ended " + day(*t.EndedAt)
	case t.PausedAt != nil:
		when = "paused since " + day(*t.PausedAt)
	case t.StartedAt != nil:
		when = "since " + day(*t.StartedAt)
	}
	return pages.Cup{
		ID:     t.ID,
		Name:   t.Name,
		GameID: t.Game,
		Game:   s.gameName(t.Game),
		Format: spaced(string(t.Format)),
		Status: string(t.Status),
		When:   when,
	}
}
