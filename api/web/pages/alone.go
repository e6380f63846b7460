package pages

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// Alone returns the viewer of a record as one HTML file that loads nothing: every step as every seat and a spectator see it.
func Alone(rec *replay.Record, engine game.Engine) ([]byte, error) {
	s, err := NewSite(func(id string) string { return id })
	if err != nil {
		return nil, err
	}
	played, err := replayOf(rec, engine)
	if err != nil {
		return nil, err
	}
	m := Match{
		Page:  Page{Title: engine.Info().Name + " " + rec.Header.Match},
		ID:    rec.Header.Match,
		Game:  engine.Info().Name,
		Open:  true,
		Alone: true,
		What:  engine.Info().About,
		Facts: []Fact{
			{Name: "Played by", Value: rec.Header.Engine},
			{Name: "Configuration", Value: string(rec.Header.Config)},
			{Name: "Seed", Value: rec.Seed.String()},
			{Name: "Commitment", Value: rec.Header.Commitment},
		},
	}
	rank := rating.Placing(rec.Result, rec.Retired)
	for i, seat := range rec.Header.Seats {
		line := Seat{
			Seat:    i,
			Alias:   seat.Alias,
			Bot:     seat.Bot,
			Retired: rec.Retired.Has(seatOf(i)),
		}
		line.Role, line.Points = ResultOf(rec.Result, i)
		if i < len(rank) {
			line.Rank = strconv.Itoa(rank[i])
		}
		for _, step := range rec.Steps {
			for _, t := range step.Turns {
				if t.Seat == seatOf(i) && t.By == replay.ByHouse && t.Why != tournament.WhyRetired {
					line.Faults++
				}
			}
		}
		m.Seats = append(m.Seats, line)
	}
	names := m.Names()
	m.Result = Outcome(rec.Result, rec.Retired, names, engine.EndingWords(rec.Result.Why))
	all := map[string][]Frame{}
	first := int(game.Spectator)
	if engine.Hides() {
		first = int(game.Everything)
	}
	for seat := first; seat < len(rec.Header.Seats); seat++ {
		if all[strconv.Itoa(seat)], err = s.Frames(played, Look{Seat: seat, Open: true, Names: names}, 0, played.Last()+1); err != nil {
			return nil, err
		}
		for i, f := range all[strconv.Itoa(seat)] {
			all[strconv.Itoa(seat)][i].SVG = string(Still([]byte(f.SVG)))
		}
	}
	who, start := Look{Seat: first, Open: true, Names: names}, all[strconv.Itoa(first)][0]
	m.Viewer = played.Watch(who, 0, played.Last()+1)
	m.Viewer.Stage = stageOf(start, who, template.URL("data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString([]byte(start.SVG)))) // our own drawing
	return s.file(m, all)
}

// choices is what drawings name for people at a seat.
var choices = regexp.MustCompile(` data-(?:at|space)="[^"]*"`)

// Still returns a drawing for those who only look: without what names its parts for a choice.
func Still(svg []byte) []byte { return choices.ReplaceAll(svg, nil) }

// file packs the frames into the page.
func (s *Site) file(m Match, all map[string][]Frame) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("pages: frames: %w", err)
	}
	e := json.NewEncoder(z)
	e.SetEscapeHTML(false) // frames stay within reach of each other for gzip, which looks back 32 KiB
	if err := e.Encode(all); err != nil {
		return nil, fmt.Errorf("pages: frames: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pages: frames: %w", err)
	}
	m.Style = template.CSS(append(slices.Clone(s.assets[s.names["app.css"]].Body), s.assets[s.names["viewer.css"]].Body...))      // our own
	m.Script = template.HTML(`<script type="application/gzip" id="replay">` + base64.StdEncoding.EncodeToString(packed.Bytes()) + // our own
		"</script>\n<script>" + string(s.assets[s.names["flight.js"]].Body) + string(s.assets[s.names["viewer.js"]].Body) + "</script>")
	return s.render("alone", "alone", m)
}

// ResultOf returns what a result says of a seat: its team and points; empty where it says nothing.
func ResultOf(r game.Result, seat int) (team, points string) {
	if seat < len(r.Team) {
		team = r.Team[seat]
	}
	if seat < len(r.Points) {
		points = strconv.FormatFloat(r.Points[seat], 'f', -1, 64)
	}
	return team, points
}
