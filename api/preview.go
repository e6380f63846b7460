package api

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// previewMatches is how many random matches the length of one is measured on.
const previewMatches = 8

// @Summary	What a tournament would be
// @Description	For organisers. Checks a request to POST /v1/tournaments as that does, makes nothing, and tells how many rounds and
// @Description	matches a full field plays at most and how long that takes.
// @Tags		tournaments
// @Security	Bearer
// @Accept		json
// @Param		body	body		wire.TournamentCreate	true	"the tournament"
// @Success	200		{object}	wire.Preview
// @Failure	403		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/tournaments/preview [post]
func (s *Server) previewTournament(c *gin.Context) error {
	in, err := read[wire.TournamentCreate](c)
	if err != nil {
		return err
	}
	t, err := s.announced(in, gate.UserID(c))
	if err != nil {
		return err
	}
	return s.sendPreview(c, t, []time.Time{t.StartsAt})
}

// @Summary	What a schedule would be
// @Description	For organisers. Checks a request to POST /v1/schedules as that does, makes nothing, and tells the first starts and how
// @Description	many rounds and matches a full field plays at most.
// @Tags		schedules
// @Security	Bearer
// @Accept		json
// @Param		body	body		wire.ScheduleCreate	true	"the schedule"
// @Success	200		{object}	wire.Preview
// @Failure	403		{object}	wire.Problem
// @Failure	413		{object}	wire.Problem
// @Failure	415		{object}	wire.Problem
// @Failure	422		{object}	wire.Problem
// @Router		/v1/schedules/preview [post]
func (s *Server) previewSchedule(c *gin.Context) error {
	in, err := read[wire.ScheduleCreate](c)
	if err != nil {
		return err
	}
	x, err := s.plan(in, gate.UserID(c))
	if err != nil {
		return err
	}
	return s.sendPreview(c, x.Template, x.Upcoming(shownStarts))
}

func (s *Server) sendPreview(c *gin.Context, t tournament.Tournament, starts []time.Time) error {
	matches, err := matchesAtCapacity(t)
	if err != nil {
		return err
	}
	engine, _ := s.engines.Find(t.Game)
	steps, err := meanSteps(engine, t.Config, t.Table)
	if err != nil {
		return err
	}
	match := time.Duration(steps * float64(t.Clock.Limit))
	out := wire.Preview{
		Starts:  starts,
		Rounds:  pairing.Rounds(t.Capacity, pairing.SettingsOf(t, engine.Info())),
		Matches: matches,
		MatchMS: match.Milliseconds(),
	}
	if t.Format == tournament.Arena {
		out.LeastMS = (t.Options.Lasts + match).Milliseconds()
		out.MostMS = out.LeastMS
	} else {
		out.LeastMS = int64(out.Rounds) * out.MatchMS
		out.MostMS = int64(matches) * out.MatchMS
	}
	return httpx.Send(c, http.StatusOK, out)
}

// meanSteps is how many steps random matches have in the mean; always the same for the same configuration.
func meanSteps(engine game.Engine, config json.RawMessage, seats int) (float64, error) {
	walk, err := engine.Walk(config, seats)
	if err != nil {
		return 0, err
	}
	steps := 0
	for match := range previewMatches {
		rng := game.Stream(game.Seed{}, match, "preview")
		for walk.Deal(rng); walk.Step(rng) > 0; {
			steps++
		}
	}
	return float64(steps) / previewMatches, nil
}
