package api

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament/pairing"
)

// rounds are all rounds of a tournament as everybody may see them now.
func (s *Server) rounds(ctx context.Context, id string) ([]wire.Round, error) {
	t, err := s.store.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	c, entries, err := s.director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]wire.Round, len(c.Rounds))
	for i, r := range c.Rounds {
		out[i] = live.RoundOf(i+1, r, entries, s.engines.HiddenTeams(t.Game))
	}
	return out, nil
}

// @Summary	The rounds of a tournament
// @Description	Of any format: who met whom, byes, and who was absent or forfeited and why. In an elimination tables are ties, by name.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.Round]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/bracket [get]
func (s *Server) listRounds(c *gin.Context) error {
	return sendOfTournament(s, c, s.rounds, func(r wire.Round) wire.Round { return r })
}

// crosstable is the rows of a tournament in the order of its standings.
func (s *Server) crosstable(ctx context.Context, id string) ([]wire.CrosstableRow, error) {
	c, entries, err := s.director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	lines, err := pairing.Standings(c)
	if err != nil {
		return nil, err
	}
	table := pairing.Crosstable(c)
	out := make([]wire.CrosstableRow, len(lines))
	for i, l := range lines {
		out[i] = wire.CrosstableRow{Rank: l.Rank, Bot: entries[l.Entry].BotName, Cells: []wire.CrosstableCell{}}
		for _, o := range lines {
			if x := table[l.Entry][o.Entry]; x.Blocks > 0 {
				out[i].Cells = append(out[i].Cells, wire.CrosstableCell{Bot: entries[o.Entry].BotName, Blocks: x.Blocks, Games: x.Games, Share: x.Share, Low: x.Low, High: x.High})
			}
		}
	}
	return out, nil
}

// @Summary	The crosstable
// @Description	In the order of the standings: what each bot has of each other, with a 95 % interval.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	wire.Page[wire.CrosstableRow]
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/crosstable [get]
func (s *Server) listCrosstable(c *gin.Context) error {
	return sendOfTournament(s, c, s.crosstable, func(r wire.CrosstableRow) wire.CrosstableRow { return r })
}
