package pages

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
)

// Alone is the viewer of a record as one HTML file that loads nothing: every step as every seat and a spectator see it.
func Alone(rec *replay.Record, engine game.Engine) ([]byte, error) {
	s, err := NewSite()
	if err != nil {
		return nil, err
	}
	film, err := filmOf(rec, engine)
	if err != nil {
		return nil, err
	}
	all := map[string][]Frame{}
	for seat := -1; seat < len(rec.Header.Seats); seat++ {
		if all[strconv.Itoa(seat)], err = s.Frames(film, seat, 0, film.Last()+1, true); err != nil {
			return nil, err
		}
	}
	last := all["-1"][film.Last()]
	m := Match{
		Page: Page{Title: engine.Info().Name + " " + rec.Header.Match}, ID: rec.Header.Match, Game: engine.Info().Name,
		HasFilm: true, Open: true, Alone: true, Last: film.Last(), Step: film.Last(), Seat: -1, Result: Outcome(rec.Result, rec.Header.Seats),
		Facts: []Fact{
			{Name: "Played by", Value: rec.Header.Engine},
			{Name: "Configuration", Value: string(rec.Header.Config)},
			{Name: "Seed", Value: rec.Seed.String()},
			{Name: "Commitment", Value: rec.Header.Commitment},
		},
		Stage: Stage{Frame: last, Alt: Alt(film.Last(), -1)},
	}
	if last.SVG != "" {
		m.Stage.Board = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(last.SVG))) //nolint:gosec // our own drawing
	}
	for i, seat := range rec.Header.Seats {
		line := Seat{Seat: i, Alias: seat.Alias, Bot: seat.Bot, Retired: rec.Retired.Has(seatOf(i))}
		line.Role, line.Rank, line.Points = ResultOf(rec.Result, i)
		for _, step := range rec.Steps {
			for _, t := range step.Turns {
				if t.Seat == seatOf(i) && t.By == replay.ByHouse && t.Why != "retired" {
					line.Faults++
				}
			}
		}
		m.Seats = append(m.Seats, line)
	}
	return s.file(m, all)
}

// file packs the frames into the page.
func (s *Site) file(m Match, all map[string][]Frame) ([]byte, error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(all); err != nil {
		return nil, fmt.Errorf("pages: frames: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pages: frames: %w", err)
	}
	m.Style = template.CSS(s.assets[s.names["app.css"]].Body)                                                                   //nolint:gosec // our own
	m.Script = template.HTML(`<script type="application/gzip" id="film">` + base64.StdEncoding.EncodeToString(packed.Bytes()) + //nolint:gosec // our own
		"</script>\n<script>" + string(s.assets[s.names["app.js"]].Body) + "</script>")
	return s.render("alone", "alone", m)
}

// ResultOf is what a result says of a seat: its team, place and points; empty where it says nothing.
func ResultOf(r game.Result, seat int) (team, rank, points string) {
	if seat < len(r.Team) {
		team = r.Team[seat]
	}
	if seat < len(r.Rank) {
		rank = strconv.Itoa(r.Rank[seat])
	}
	if seat < len(r.Points) {
		points = strconv.FormatFloat(r.Points[seat], 'f', -1, 64)
	}
	return team, rank, points
}

// Outcome is a result in a sentence: who is first, and why.
func Outcome(r game.Result, seats []replay.Seat) string {
	var best []string
	for i, rank := range r.Rank {
		if rank == 1 && i < len(seats) {
			best = append(best, seats[i].Alias)
		}
	}
	return strings.Join(best, ", ") + " first: " + words(r.Why)
}
