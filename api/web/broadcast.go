package web

import (
	"context"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament/broadcast"
)

// Broadcast returns the page on which people watch a tournament together: the match that is shown now, at the step that is shown now,
// and no result before it is shown.
func (s *Pages) Broadcast(c *gin.Context) ([]byte, error) {
	t, err := Named(c, s.Store.Tournament)
	if err != nil {
		return nil, err
	}
	ctx, now := c.Request.Context(), s.Now()
	list, err := s.Store.Showings(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	if t.Unlisted {
		c.Header("X-Robots-Tag", "noindex, nofollow")
	}
	out := pages.Broadcast{
		Page: pages.Page{Title: t.Name + ", shown", At: now, Here: "/tournaments"},
		Path: "/tournaments/" + t.ID, Name: t.Name, Game: t.Game, Over: t.EndedAt != nil, Empty: len(list) == 0,
	}
	at := broadcast.At(list, now)
	if at >= 0 && (at < len(list)-1 || now.Before(list[at].Ends())) {
		if out.Showing, err = s.showing(ctx, c, list[at], now); err != nil {
			return nil, err
		}
		out.Left = len(list) - at - 1
	}
	return s.site.Page("broadcast", out)
}

// showing returns what is seen of a match at a time.
func (s *Pages) showing(ctx context.Context, c *gin.Context, x broadcast.Showing, now time.Time) (*pages.Showing, error) {
	w, err := s.Store.Watch(ctx, x.ID)
	if err != nil {
		return nil, err
	}
	sec := s.Engines.SecrecyOf(w)
	replay, err := s.replay(c, w.Match, sec)
	if err != nil || replay == nil {
		return nil, err
	}
	step, who := x.StepAt(now), pages.Look{Seat: int(game.Spectator), Open: sec.Open, Names: seatNames(w.Match, sec)}
	out := &pages.Showing{Showing: x, Step: min(step, replay.Last()), Now: now}
	for i, name := range who.Names {
		out.Players = append(out.Players, pages.MatchPlayer{BotID: w.Match.Seats[i].BotID, Bot: name})
	}
	in, err := s.stageOf(ctx, w.Match.TournamentID, x.Round, x.ID)
	if err != nil {
		return nil, err
	}
	out.Name = pages.Capital(in.name)
	out.Stage, err = s.site.Stage(replay, who, out.Step, fmt.Sprintf("/matches/%s/board.svg?step=%d", x.ID, out.Step))
	return out, err
}
