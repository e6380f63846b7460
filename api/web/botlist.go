package web

import (
	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// Bots returns the page of all bots.
func (s *Pages) Bots(c *gin.Context) ([]byte, error) {
	out := pages.List[pages.BotLine]{Asking: pages.Asking{
		Page:    pages.Page{Title: "Bots", About: "Every bot of this platform, and what it is rated."},
		Name:    "bot",
		Search:  pages.Choice{Key: "q", Label: "Name"},
		Choices: []pages.Choice{s.games(), states(tournament.BotActive, tournament.BotPaused, tournament.BotRetired)},
	}}
	p, err := s.asked(c, &out.Asking)
	if err != nil {
		return nil, err
	}
	next := ""
	if findable(p.Filter["q"]) {
		f := store.BotFilter{Name: p.Filter["q"], Game: p.Filter["game"], Status: tournament.BotStatus(p.Filter["status"])}
		var rows []store.ListedBot
		if rows, next, err = s.store.ListBots(c.Request.Context(), f, pageOf(p)); err != nil {
			return nil, err
		}
		for _, r := range rows {
			out.Rows = append(out.Rows, s.botLine(r))
		}
	}
	goOn(&out.Asking, c, p, next)
	return s.site.List("bots", out)
}

func (s *Pages) botLine(b store.ListedBot) pages.BotLine {
	out := pages.BotLine{
		ID:         b.ID,
		Name:       b.Name,
		Owner:      b.Owner,
		Status:     string(b.Status),
		Why:        b.OpenReason(),
		Since:      day(b.CreatedAt),
		Challenges: b.TakesChallenges,
	}
	rated := map[string]bool{}
	for _, r := range b.Ratings {
		name := s.gameName(r.LadderID) // the id of a ladder is its game's
		rated[name] = true
		out.Ratings = append(out.Ratings, pages.GameRating{LadderID: r.LadderID, Game: name, Rating: points(tournament.Elo(r.Milli + r.OffsetMilli)), Games: r.Games})
	}
	for _, id := range b.Games {
		if name := s.gameName(id); !rated[name] {
			out.Others = append(out.Others, name)
		}
	}
	return out
}
