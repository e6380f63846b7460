package api

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// sheet is a table to take away: every row has a value for each column.
type sheet struct {
	columns []string
	rows    [][]any // strings, integers, floats, booleans, or nil for nothing
}

// csv is the sheet with a line of names; nil is an empty field.
func (s sheet) csv() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(s.columns); err != nil {
		return nil, err
	}
	for _, row := range s.rows {
		line := make([]string, len(row))
		for i, v := range row {
			switch x := v.(type) {
			case nil:
			case float64:
				line[i] = strconv.FormatFloat(x, 'g', -1, 64)
			default:
				line[i] = fmt.Sprint(x)
			}
		}
		if err := w.Write(line); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// lines is a JSON object for each row, with its keys in the order of the columns, and sep between them.
func (s sheet) lines(sep string) ([]byte, error) {
	var b bytes.Buffer
	for i, row := range s.rows {
		if i > 0 {
			b.WriteString(sep)
		}
		for k, v := range row {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%c%q:%s", "{,"[min(k, 1)], s.columns[k], text)
		}
		b.WriteByte('}')
	}
	return b.Bytes(), nil
}

// as is the media type and the bytes of the sheet as a file of that format.
func (s sheet) as(format string) (string, []byte, error) {
	switch format {
	case "csv":
		body, err := s.csv()
		return "text/csv; charset=utf-8", body, err
	case "ndjson":
		body, err := s.lines("\n")
		if len(body) > 0 {
			body = append(body, '\n')
		}
		return "application/x-ndjson", body, err
	default:
		body, err := s.lines(",")
		return "application/json", append(append([]byte("["), body...), ']'), err
	}
}

// @Summary	Download a table
// @Description	The standings, the crosstable, the bracket (the rounds of any format) or the matches of a tournament as one file. What
// @Description	is sealed now is empty. JSON is a list of objects, NDJSON one object a line; the keys are the columns of the CSV.
// @Tags		tournaments
// @Produce	json,text/csv,application/x-ndjson
// @Param		id		path		string	true	"id of the tournament"
// @Param		table	query		string	false	"standings, crosstable, bracket or matches; standings if left out"
// @Param		format	query		string	false	"csv, json or ndjson; csv if left out"
// @Success	200		{object}	any
// @Failure	404		{object}	wire.Problem
// @Router		/v1/tournaments/{id}/export [get]
func (s *Server) exportTournament(c *gin.Context) error {
	q, err := httpx.Query(c, "table", "format")
	if err != nil {
		return err
	}
	table, err := httpx.OneOf(q, "table", "standings", "crosstable", "bracket", "matches")
	if err != nil {
		return err
	}
	format, err := exportFormat(q)
	if err != nil {
		return err
	}
	if table == "" {
		table = "standings"
	}
	t, err := s.tournamentOf(c)
	if err != nil {
		return err
	}
	var out sheet
	ctx := c.Request.Context()
	switch table {
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
	return sendSheet(c, out, t.ID+"-"+table, format)
}

// exportFormat is the format of a file that is asked for, csv if none is.
func exportFormat(q map[string]string) (string, error) {
	format, err := httpx.OneOf(q, "format", "csv", "json", "ndjson")
	if format == "" {
		format = "csv"
	}
	return format, err
}

// sendSheet answers with a sheet as a file of that name and format.
func sendSheet(c *gin.Context, s sheet, name, format string) error {
	kind, body, err := s.as(format)
	if err != nil {
		return err
	}
	c.Header("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.%s"`, name, format))
	httpx.SendBytes(c, http.StatusOK, kind, body)
	return nil
}

func (s *Server) standingsSheet(ctx context.Context, id string) (sheet, error) {
	lines, err := s.director.Standings(ctx, id)
	out := sheet{columns: []string{"rank", "bot_id", "bot", "played", "points", "wins", "draws", "losses", "byes", "forfeits", "score", "faults"}}
	for _, l := range lines {
		if l.Trial != nil {
			out.columns = append(out.columns, "verdict", "pairs", "llr", "llr_lower", "llr_upper", "elo", "elo_low", "elo_high")
		}
	}
	tested := len(out.columns) > 12
	for i, l := range lines {
		row := []any{l.Rank, l.BotID, l.Bot, l.Played, l.Points, l.Wins, l.Draws, l.Losses, l.Byes, l.Forfeits, l.Score, l.Faults}
		if x := l.Trial; x != nil {
			row = append(row, x.Verdict, x.Pairs, x.LLR, x.Lower, x.Upper, x.Elo, x.Low, x.High)
		} else if tested {
			row = append(row, make([]any, 8)...)
		}
		for _, t := range l.Ties {
			if i == 0 {
				out.columns = append(out.columns, "by_"+t.By)
			}
			row = append(row, t.Value)
		}
		out.rows = append(out.rows, row)
	}
	return out, err
}

func (s *Server) crosstableSheet(ctx context.Context, id string) (sheet, error) {
	rows, err := s.crosstable(ctx, id)
	out := sheet{columns: []string{"rank", "bot", "opponent", "blocks", "games", "share", "low", "high"}}
	for _, r := range rows {
		for _, x := range r.Cells {
			out.rows = append(out.rows, []any{r.Rank, r.Bot, x.Bot, x.Blocks, x.Games, x.Share, x.Low, x.High})
		}
	}
	return out, err
}

// bracketSheet has a row for each bot of each table, and one for each bye, absence and forfeit.
func (s *Server) bracketSheet(ctx context.Context, id string) (sheet, error) {
	rounds, err := s.rounds(ctx, id)
	out := sheet{columns: []string{"round", "final", "kind", "table", "tie", "name", "bot", "points", "games", "over", "why"}}
	for _, r := range rounds {
		add := func(row ...any) { out.rows = append(out.rows, append([]any{r.Round, r.Final}, row...)) }
		for i, t := range r.Tables {
			if len(t.Bots) == 0 {
				add("table", i+1, t.Tie, t.Name, nil, nil, t.Games, t.Over, nil)
			}
			for k, bot := range t.Bots {
				var points any
				if t.Over {
					points = t.Points[k]
				}
				add("table", i+1, t.Tie, t.Name, bot, points, t.Games, t.Over, nil)
			}
		}
		for _, bot := range r.Byes {
			add("bye", nil, nil, nil, bot, nil, 0, true, nil)
		}
		for _, a := range r.Absent {
			add("absent", nil, nil, nil, a.Bot, nil, 0, true, a.Why)
		}
		for _, f := range r.Forfeits {
			add("forfeit", nil, f.Tie, nil, f.Loser, nil, 0, true, f.Why)
		}
	}
	return out, err
}

// matchesSheet has a row for each seat of each match, in schedule order.
func (s *Server) matchesSheet(ctx context.Context, t tournament.Tournament) (sheet, error) {
	out := sheet{columns: []string{
		"round", "block", "number", "match_id", "status", "reason", "seat", "alias", "bot_id", "bot", "version_id", "rank", "points", "team", "retired", "faults",
	}}
	seals := s.matches.Seals()
	for after := ""; ; {
		list, next, err := s.store.Matches(ctx, store.MatchFilter{TournamentID: t.ID}, store.Page{After: after, Limit: httpx.MaxLimit, Sort: store.Oldest})
		if err != nil {
			return out, err
		}
		for _, m := range list {
			sec, err := seals.Of(ctx, m)
			if err != nil {
				return out, err
			}
			for i, seat := range m.Seats {
				row := []any{m.Round, m.Block, m.Number, m.ID, string(m.Status), m.Reason, int(seat.Seat), seat.Alias, nil, nil, nil, nil, nil, nil, nil, nil}
				if sec.Names {
					row[8], row[9], row[10] = seat.BotID, seat.BotName, seat.VersionID
				}
				if sec.Open && m.Result != nil {
					row[11], row[12], row[14], row[15] = m.Rank[i], m.Result.Points[i], m.Retired.Has(seat.Seat), seat.Faults
					if len(m.Result.Team) > 0 {
						row[13] = m.Result.Team[i]
					}
				}
				out.rows = append(out.rows, row)
			}
		}
		if next == "" {
			return out, nil
		}
		after = next
	}
}
