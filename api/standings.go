package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/api/op"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/broadcast"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func (s *Server) exportTournament(c *gin.Context, in wire.TournamentExport) error {
	ctx := c.Request.Context()
	t, err := s.Store.Tournament(ctx, in.ID)
	if err != nil {
		return err
	}
	var out httpx.Sheet
	switch in.Table {
	case "standings":
		out, err = s.standingsSheet(ctx, t.ID)
	case "crosstable":
		out, err = s.crosstableSheet(ctx, t.ID)
	case "bracket":
		out, err = s.bracketSheet(ctx, t.ID)
	default:
		out, err = s.matchesSheet(ctx, t)
	}
	if err != nil {
		return err
	}
	return httpx.SendSheet(c, out, t.ID+"-"+in.Table, in.Format)
}

func (s *Server) standingsSheet(ctx context.Context, id string) (httpx.Sheet, error) {
	lines, err := s.Director.Standings(ctx, id)
	out := httpx.Sheet{Columns: []string{"rank", "bot_id", "bot", "played", "points", "wins", "draws", "losses", "byes", "forfeits", "score", "faults", "withdrew_after_round", "annulled", "replaces", "since_round"}}
	for _, l := range lines {
		if l.Trial != nil {
			out.Columns = append(out.Columns, "verdict", "pairs", "llr", "llr_lower", "llr_upper", "elo", "elo_low", "elo_high")
		}
	}
	tested := len(out.Columns) > 16
	adjusted := slices.ContainsFunc(lines, func(l tournament.Standing) bool { return l.Adjusted != nil })
	if adjusted {
		out.Columns = append(out.Columns, "adjusted_points", "adjusted_low", "adjusted_high")
	}
	for i, l := range lines {
		row := []any{l.Rank, l.BotID, l.Bot, l.Played, l.Points, l.Wins, l.Draws, l.Losses, l.Byes, l.Forfeits, l.Score, l.Faults, nil, l.IsAnnulled, l.Replaces, l.SinceRound}
		if l.WithdrewAfter != nil {
			row[12] = *l.WithdrewAfter
		}
		if x := l.Trial; x != nil {
			row = append(row, x.Verdict, x.Pairs, x.LLR, x.Lower, x.Upper, x.Elo, x.Low, x.High)
		} else if tested {
			row = append(row, make([]any, 8)...)
		}
		if x := l.Adjusted; x != nil {
			row = append(row, x.Value, x.Low, x.High)
		} else if adjusted {
			row = append(row, make([]any, 3)...)
		}
		for _, t := range l.Ties {
			if i == 0 {
				out.Columns = append(out.Columns, "by_"+t.By)
			}
			row = append(row, t.Value)
		}
		out.Rows = append(out.Rows, row)
	}
	return out, err
}

func (s *Server) crosstableSheet(ctx context.Context, id string) (httpx.Sheet, error) {
	rows, err := s.crosstable(ctx, id)
	out := httpx.Sheet{Columns: []string{"rank", "bot", "opponent", "blocks", "games", "share", "low", "high"}}
	adjusted := slices.ContainsFunc(rows, func(r wire.CrosstableRow) bool {
		return slices.ContainsFunc(r.Cells, func(x wire.CrosstableCell) bool { return x.Adjusted != nil })
	})
	if adjusted {
		out.Columns = append(out.Columns, "adjusted_share", "adjusted_low", "adjusted_high")
	}
	for _, r := range rows {
		for _, x := range r.Cells {
			row := []any{r.Rank, r.Bot, x.Bot, x.Blocks, x.Games, x.Share, x.Low, x.High}
			if a := x.Adjusted; a != nil {
				row = append(row, a.Value, a.Low, a.High)
			} else if adjusted {
				row = append(row, make([]any, 3)...)
			}
			out.Rows = append(out.Rows, row)
		}
	}
	return out, err
}

// bracketSheet has a row for each bot of each table, and one for each bye, absence and forfeit. won tells of a tie of a bracket, at its
// last table, who won it.
func (s *Server) bracketSheet(ctx context.Context, id string) (httpx.Sheet, error) {
	rounds, err := s.rounds(ctx, id)
	out := httpx.Sheet{Columns: []string{"round", "final", "kind", "table", "tie", "name", "bot", "points", "games", "over", "why", "won", "annulled"}}
	for _, r := range rounds {
		add := func(row ...any) { out.Rows = append(out.Rows, append([]any{r.Round, r.Final}, row...)) }
		for i, t := range r.Tables {
			if len(t.Bots) == 0 {
				add("table", i+1, t.Tie, t.Name, nil, nil, t.Games, t.Over, nil, nil, t.Annulled)
			}
			for k, bot := range t.Bots {
				var points, why, won any
				if k < len(t.Points) {
					points = t.Points[k]
				}
				if t.Void {
					why = "void"
				}
				if t.Winner != "" {
					won = bot == t.Winner
				}
				add("table", i+1, t.Tie, t.Name, bot, points, t.Games, t.Over, why, won, t.Annulled)
			}
		}
		for _, bot := range r.Byes {
			add("bye", nil, nil, nil, bot, nil, 0, true, nil, nil, false)
		}
		for _, a := range r.Absent {
			add("absent", nil, nil, nil, a.Bot, nil, 0, true, a.Why, nil, false)
		}
		for _, f := range r.Forfeits {
			add("forfeit", nil, f.Tie, nil, f.Loser, nil, 0, true, f.Why, false, f.Annulled)
			if f.Winner != "" {
				add("forfeit", nil, f.Tie, nil, f.Winner, nil, 0, true, nil, true, f.Annulled)
			}
		}
	}
	return out, err
}

// matchesSheet has a row for each seat of each match, in schedule order.
func (s *Server) matchesSheet(ctx context.Context, t tournament.Tournament) (httpx.Sheet, error) {
	out := httpx.Sheet{Columns: []string{
		"round", "block", "number", "match_id", "status", "reason", "seat", "alias", "bot_id", "bot", "version_id", "rank", "points", "team", "retired", "faults", "annulled",
	}}
	annulled, err := s.annulled(ctx, t.ID)
	if err != nil {
		return out, err
	}
	seals := s.matches.Seals()
	for after := ""; ; {
		list, next, err := s.Store.Matches(ctx, store.MatchFilter{TournamentID: t.ID}, store.Page{After: after, Limit: httpx.MaxLimit, Sort: store.Oldest})
		if err != nil {
			return out, err
		}
		for _, m := range list {
			sec, err := seals.Of(ctx, m)
			if err != nil {
				return out, err
			}
			for i, seat := range m.Seats {
				row := []any{m.Round, m.Block, m.Number, m.ID, string(m.Status), m.Reason, int(seat.Seat), seat.Alias, nil, nil, nil, nil, nil, nil, nil, nil, annulled[m.ID]}
				if sec.Names {
					row[8], row[9], row[10] = seat.BotID, seat.BotName, seat.VersionID
				}
				if sec.Open && m.Result != nil {
					row[11], row[12], row[14], row[15] = m.Rank[i], m.Result.Points[i], m.Retired.Has(seat.Seat), seat.Faults
					if len(m.Result.Team) > 0 {
						row[13] = m.Result.Team[i]
					}
				}
				out.Rows = append(out.Rows, row)
			}
		}
		if next == "" {
			return out, nil
		}
		after = next
	}
}

// annulled returns the matches of a tournament that count for nobody, as one of their bots left too early.
func (s *Server) annulled(ctx context.Context, id string) (map[string]bool, error) {
	c, _, err := s.Director.Contest(ctx, id)
	annulled, out := c.Annulled(), map[string]bool{}
	for i, r := range c.Rounds {
		for _, b := range r.Blocks {
			for _, m := range b.Matches() {
				out[m] = annulled(i, b.Games[0].Seats...)
			}
		}
	}
	return out, err
}

// ofTournament makes a list that a tournament has as a whole a route's.
func ofTournament[R any](list func(*Server, context.Context, string) ([]R, error)) func(*Server, context.Context, op.ListOf, httpx.PageQuery) ([]R, string, error) {
	return func(s *Server, ctx context.Context, in op.ListOf, p httpx.PageQuery) ([]R, string, error) {
		if _, err := s.Store.Tournament(ctx, in.ID); err != nil {
			return nil, "", err
		}
		all, err := list(s, ctx, in.ID)
		rows, next := httpx.Cut(all, p)
		return rows, next, err
	}
}

func (s *Server) standings(ctx context.Context, id string) ([]tournament.Standing, error) {
	return s.Director.Standings(ctx, id)
}

// rounds returns all rounds of a tournament as everybody may see them now.
func (s *Server) rounds(ctx context.Context, id string) ([]wire.Round, error) {
	t, err := s.Store.Tournament(ctx, id)
	if err != nil {
		return nil, err
	}
	c, who, err := s.Director.Contest(ctx, id)
	if err != nil {
		return nil, err
	}
	return live.RoundsOf(c, who, s.Engines.HiddenTeams(t.Game)), nil
}

func (s *Server) showings(ctx context.Context, id string) ([]wire.Showing, error) {
	list, err := s.Store.Showings(ctx, id)
	return each(list, func(x broadcast.Showing) wire.Showing {
		return wire.Showing{MatchID: x.ID, Round: x.Round, Steps: x.Steps, StartsAt: x.StartsAt, EndsAt: x.Ends()}
	}), err
}

// crosstable returns the rows of a tournament in the order of its standings.
func (s *Server) crosstable(ctx context.Context, id string) ([]wire.CrosstableRow, error) {
	board, err := s.Director.Scoreboard(ctx, id)
	if err != nil {
		return nil, err
	}
	lines, err := board.Crosstable()
	if err != nil {
		return nil, err
	}
	out := make([]wire.CrosstableRow, len(lines))
	for i, l := range lines {
		out[i] = wire.CrosstableRow{Rank: l.Rank, Bot: l.Entry.BotName, Cells: []wire.CrosstableCell{}}
		for k, x := range l.Cells {
			if x.Blocks == 0 {
				continue
			}
			cell := wire.CrosstableCell{
				Bot:    lines[k].Entry.BotName,
				Blocks: x.Blocks,
				Games:  x.Games,
				Share:  x.Share,
				Low:    x.Low,
				High:   x.High,

				Adjusted: x.Adjusted,
			}
			out[i].Cells = append(out[i].Cells, cell)
		}
	}
	return out, nil
}

func (s *Server) arrangeRound(ctx context.Context, in wire.RoundOf) (wire.Round, error) {
	if err := tournament.CheckText("/reason", in.Body.Reason, tournament.MaxReason); err != nil {
		return wire.Round{}, err
	}
	t, err := s.myTournament(ctx, in.ID)
	if err != nil {
		return wire.Round{}, err
	}
	if in.Round < 1 {
		return wire.Round{}, fmt.Errorf("%w: round %d", tournament.ErrNotFound, in.Round)
	}
	change := director.Rearrangement{Tables: in.Body.Tables, Byes: in.Body.Byes, ByID: gate.UserID(ctx), Reason: in.Body.Reason}
	if err := s.Director.Rearrange(ctx, t.ID, in.Round, change); err != nil {
		return wire.Round{}, err
	}
	rounds, err := s.rounds(ctx, t.ID)
	if err != nil {
		return wire.Round{}, err
	}
	return rounds[in.Round-1], nil
}
