package api

import (
	"context"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Round is one round of a tournament: who met whom, and who did not play and why.
type Round struct {
	Round    int        `json:"round"`
	Final    bool       `json:"final,omitempty"` // after a group stage
	Tables   []Table    `json:"tables"`
	Byes     []string   `json:"byes"` // bots that could have played
	Absent   []Absence  `json:"absent"`
	Forfeits []Walkover `json:"forfeits"`
} // @name Round

// Table is what is compared: one game, or with duplicate one for each seat.
type Table struct {
	Tie    int       `json:"tie,omitempty"`                       // its number in a bracket
	Name   string    `json:"name,omitempty" example:"semi-final"` // of the tie
	Bots   []string  `json:"bots,omitempty"`                      // left out until it is over where the game has hidden teams
	Points []float64 `json:"points,omitempty"`                    // by bot, once it is over
	Games  int       `json:"games"`
	Over   bool      `json:"over"`
} // @name Table

// Absence is a bot that could not be paired in a round.
type Absence struct {
	Bot string `json:"bot"`
	Why string `json:"why" example:"its bot does not answer"`
} // @name Absence

// Walkover is what was not played because the loser was not there.
type Walkover struct {
	Tie    int    `json:"tie,omitempty"`    // of a bracket
	Winner string `json:"winner,omitempty"` // none if nobody was there
	Loser  string `json:"loser"`
	Why    string `json:"why"`
} // @name Walkover

// CrosstableRow is what one bot has of the others it has met.
type CrosstableRow struct {
	Rank  int              `json:"rank"`
	Bot   string           `json:"bot"`
	Cells []CrosstableCell `json:"cells"`
} // @name CrosstableRow

// CrosstableCell is what a bot has of one other, in blocks that were played to their end.
type CrosstableCell struct {
	Bot    string  `json:"bot"` // the other
	Blocks int     `json:"blocks"`
	Games  int     `json:"games"`
	Share  float64 `json:"share"` // of a game, 0 to 1, in the mean; at larger tables 1 for more points than the other
	Low    float64 `json:"low"`   // its 95 % interval, the block as the unit
	High   float64 `json:"high"`
} // @name CrosstableCell

// rounds are all rounds of a tournament as everybody may see them now.
func (s *Server) rounds(ctx context.Context, id string) ([]Round, error) {
	t, err := s.store.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	c, entries, err := s.director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]Round, len(c.Rounds))
	for i, r := range c.Rounds {
		out[i] = roundDTO(i+1, r, entries, s.hiddenTeams(t.Game))
	}
	return out, nil
}

func roundDTO(number int, r pairing.Round, entries []tournament.Entry, hiddenTeams bool) Round {
	out := Round{Round: number, Final: r.Final, Tables: []Table{}, Byes: []string{}, Absent: []Absence{}, Forfeits: []Walkover{}}
	for _, b := range r.Blocks {
		out.Tables = append(out.Tables, tableDTO(b, entries, hiddenTeams))
	}
	for _, e := range r.Byes {
		out.Byes = append(out.Byes, entries[e].BotName)
	}
	for _, a := range r.Absent {
		out.Absent = append(out.Absent, Absence{entries[a.Entry].BotName, a.Why})
	}
	for _, f := range r.Forfeits {
		w := Walkover{Tie: f.Tie, Loser: entries[f.Loser].BotName, Why: f.Why}
		if f.Winner != pairing.Bye {
			w.Winner = entries[f.Winner].BotName
		}
		out.Forfeits = append(out.Forfeits, w)
	}
	return out
}

// tableDTO seals a block that is not over, as its matches are.
func tableDTO(b pairing.Block, entries []tournament.Entry, hiddenTeams bool) Table {
	out := Table{Tie: b.Tie, Name: b.Name, Games: len(b.Games), Over: !b.Open()}
	if !out.Over && hiddenTeams {
		return out
	}
	lineup := b.Games[0].Seats
	points := map[int]float64{}
	for _, g := range b.Games {
		for seat, e := range g.Seats {
			if g.Result != nil && !g.Result.Void {
				points[e] += g.Result.Points[seat]
			}
		}
	}
	for _, e := range lineup {
		out.Bots = append(out.Bots, entries[e].BotName)
		if out.Over {
			out.Points = append(out.Points, points[e])
		}
	}
	return out
}

// @Summary	The rounds of a tournament
// @Description	Of any format: who met whom, byes, and who was absent or forfeited and why. In an elimination tables are ties, by name.
// @Tags		tournaments
// @Param		id		path		string	true	"id of the tournament"
// @Param		limit	query		int		false	"rows a page, 1 to 100; 50 if left out"
// @Param		cursor	query		string	false	"next_cursor of the page before"
// @Success	200		{object}	Page[Round]
// @Failure	404		{object}	Problem
// @Router		/v1/tournaments/{id}/bracket [get]
func (s *Server) listRounds(c *gin.Context) error {
	return sendOfTournament(s, c, s.rounds, func(r Round) Round { return r })
}

// crosstable is the rows of a tournament in the order of its standings.
func (s *Server) crosstable(ctx context.Context, id string) ([]CrosstableRow, error) {
	c, entries, err := s.director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	lines, err := pairing.Standings(c)
	if err != nil {
		return nil, err
	}
	table := pairing.Crosstable(c)
	out := make([]CrosstableRow, len(lines))
	for i, l := range lines {
		out[i] = CrosstableRow{Rank: l.Rank, Bot: entries[l.Entry].BotName, Cells: []CrosstableCell{}}
		for _, o := range lines {
			if x := table[l.Entry][o.Entry]; x.Blocks > 0 {
				out[i].Cells = append(out[i].Cells, CrosstableCell{entries[o.Entry].BotName, x.Blocks, x.Games, x.Share, x.Low, x.High})
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
// @Success	200		{object}	Page[CrosstableRow]
// @Failure	404		{object}	Problem
// @Router		/v1/tournaments/{id}/crosstable [get]
func (s *Server) listCrosstable(c *gin.Context) error {
	return sendOfTournament(s, c, s.crosstable, func(r CrosstableRow) CrosstableRow { return r })
}
