package api_test

import (
	"fmt"
	"html/template"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
	"github.com/molerun/molerun/tournament/store"
)

// manyLines is more rows than any box of a page shows without scrolling.
const (
	manyLines = 6
	manyParts = 3 // of a line: a page of 6 rounds of 6 ties of 6 games is nothing but a slow browser
)

// stuffing gives everything a page is made of the same kind of content: long is text without a place to break and many rows
// of all, else there is nothing. So no audit depends on what a random match happens to hold.
type stuffing struct {
	long  bool
	texts int // so far; no two are the same, as no two names are
	lists int // that are being filled, one in the other
}

func (s *stuffing) fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)))
			return
		}
		if v.Type() == reflect.TypeFor[schedule.When]() {
			v.Set(reflect.ValueOf(schedule.Once(time.Date(2026, 11, 22, 20, 0, 0, 0, time.UTC))))
			return
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				s.field(f.Name, v.Field(i))
			}
		}
	case reflect.Pointer:
		if s.long {
			v.Set(reflect.New(v.Type().Elem()))
			s.fill(v.Elem())
		}
	case reflect.Slice:
		if s.long {
			n := manyLines
			if s.lists > 0 {
				n = manyParts
			}
			v.Set(reflect.MakeSlice(v.Type(), n, n))
			s.lists++
			for i := range n {
				s.fill(v.Index(i))
			}
			s.lists--
		}
	case reflect.String:
		switch v.Type() {
		case reflect.TypeFor[template.HTML](), reflect.TypeFor[template.CSS](), reflect.TypeFor[template.URL]():
			return // made by programs, not by people
		}
		if s.long {
			s.texts++
			v.SetString(strings.Repeat("Wide", 16) + strings.Repeat(" words of a bot", 8) + fmt.Sprint(" ", s.texts))
		}
	case reflect.Int, reflect.Int64:
		if s.long {
			v.SetInt(1_000_003)
		}
	case reflect.Interface: // the value of a fact
		text := reflect.New(reflect.TypeFor[string]()).Elem()
		s.fill(text)
		v.Set(text)
	case reflect.Bool:
		v.SetBool(s.long)
	}
}

// field fills a field, but for what no person writes: ids, the classes of a ladder's lines and the form of a bot.
func (s *stuffing) field(name string, v reflect.Value) {
	switch {
	case name == "ID" || strings.HasSuffix(name, "ID"):
		v.SetString("01930000-0000-7000-8000-000000000000")
	case name == "Form":
		v.SetString("WDLWD")
	case name == "Class":
		s.texts++
		v.SetString(fmt.Sprint("class", s.texts))
	default:
		s.fill(v)
	}
}

// longProse is Markdown with everything that could be too wide for a page.
func longProse() string {
	wide := strings.Repeat("Wide", 60)
	row := strings.Repeat("|"+wide, 8) + "|\n"
	return "# " + wide + "\n\n" + wide + " `" + wide + "` [" + wide + "](https://club.example/" + wide + ")\n\n```\n" + wide + "\n```\n\n" +
		row + strings.Repeat("|-", 8) + "|\n" + row + "\n" + strings.Repeat("> ", 60) + wide + "\n\n" + strings.Repeat("- ", 12) + wide + "\n"
}

// plantedPages are all pages, full and empty, by their paths.
func plantedPages(t *testing.T) map[string][]byte {
	t.Helper()
	site, err := pages.NewSite(func(id string) string { return id })
	must.OK(t, err)
	out := map[string][]byte{}
	for _, long := range []bool{true, false} {
		var (
			home      pages.Home
			ladder    pages.Ladder
			forecasts pages.Calibration
			bot       pages.Bot
			event     pages.Tournament
			league    pages.Series
			match     pages.Match
			games     pages.List[pages.GameCard]
			game      pages.Game
			events    pages.Events[store.ListedTournament]
			all       pages.List[series.Series]
			reference pages.Reference
			problem   pages.Problem
			matches   pages.List[pages.MatchRow]
			bots      pages.List[store.ListedBot]
			schedules pages.List[schedule.Schedule]
			shown     pages.Broadcast
		)
		for _, p := range []any{&home, &ladder, &forecasts, &bot, &event, &league, &match, &games, &game, &events, &matches, &bots, &schedules, &all, &reference, &problem, &shown} {
			(&stuffing{long: long}).fill(reflect.ValueOf(p).Elem())
			page := reflect.ValueOf(p).Elem().FieldByName("Page")
			page.FieldByName("Title").SetString("Planted")
			page.FieldByName("Live").SetString("")
			page.FieldByName("Refresh").SetInt(0)
			page.FieldByName("Bare").SetBool(false)
		}
		if long {
			forecasts.Forecasters[0].Name, forecasts.Forecasters[1].Name = tournament.ForecastByFit, tournament.ForecastByRating
			event.Texts[0].HTML, err = site.Prose(longProse())
			must.OK(t, err)
		}
		bot.Name, event.Name, league.Name, game.Game, shown.Name = "Planted", "Planted", "Planted", "Planted", "Planted"
		match.Viewer.Has = true
		match.Alone = false
		for name, page := range map[string]any{
			"home": home, "ladder": ladder, "calibration": forecasts, "bot": bot, "tournament": event, "series": league, "match": match, "games": games, "game": game,
			"tournaments": events, "matches": matches, "bots": bots, "schedules": schedules, "ladders": games, "serieslist": all, "reference": reference, "problem": problem, "projector": event, "broadcast": shown,
		} {
			body, err := site.Page(name, page)
			must.OK(t, err)
			out[fmt.Sprintf("/planted/%s/long=%v", name, long)] = body
		}
	}
	return out
}

// plantedBoard is how the paths of planted pictures end.
const plantedBoard = "/01930000-0000-7000-8000-000000000000/board.svg"

// plantedMatch is what the paths of a planted match begin with.
const plantedMatch = "/matches/01930000-0000-7000-8000-000000000000/"

// beside serves pages of our own making beside the API.
func beside(api http.Handler, planted map[string][]byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ours := planted[r.URL.Path]
		if strings.HasSuffix(r.URL.Path, plantedBoard) {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>`))
			return
		}
		if strings.HasPrefix(r.URL.Path, plantedMatch) { // what its viewer asks for
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"last":0,"frames":[],"moves":[]}`))
			return
		}
		if !ours {
			api.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	})
}
