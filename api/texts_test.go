package api_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/director"
	"github.com/molerun/molerun/tournament/store"
)

func TestWhatIsWrittenAboutATournament(t *testing.T) {
	onOne(t, func(w *world) {
		body := goodCup(w)
		body["description"] = "Every *Friday*.\r\n\r\n<script>alert(1)</script>"
		body["prizes"] = "[A cup](https://club.example)"
		made := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
		path := "/v1/tournaments/" + made.ID
		want := tournament.Texts{Description: "Every *Friday*.\n\n<script>alert(1)</script>", Prizes: "[A cup](https://club.example)"}
		same(t, "the answer has", made.Texts, want)
		same(t, "it has", into[wire.Tournament](w.get(anon, path).want(200, "")).Texts, want)
		same(t, "a list has", into[wire.Page[wire.Tournament]](w.get(anon, "/v1/tournaments").want(200, "")).Data[0].Texts, (tournament.Texts{}))
		page := string(w.get(anon, "/tournaments/"+made.ID).want(200, "").body)
		must.Say(t, page,
			`<h2 id="text0">Description</h2>`, "<p>Every <em>Friday</em>.</p>", `<h2 id="text1">Prizes</h2>`,
			`<a href="https://club.example" rel="nofollow noopener">A cup</a>`,
		)
		must.Say(t, page, "not", "alert(1)</script>", "Rules of this tournament")

		want.Description, want.Rules = "", "Be *kind*."
		got := w.do(organiser, "PATCH", path, map[string]any{"description": "", "rules": "Be *kind*."}).want(200, "")
		same(t, "changed, it has", into[wire.Tournament](got).Texts, want)
		same(t, "cancelled", into[wire.Tournament](w.do(organiser, "POST", path+"/cancel", map[string]any{"reason": "rain"}).want(200, "")).Texts, want)
		w.do(organiser, "PATCH", path, map[string]any{"rules": "x"}).want(409, "wrong_state")
		same(t, "after the end", into[wire.Tournament](w.get(anon, path).want(200, "")).Texts, want)

		long := strings.Repeat("é", tournament.MaxProse+1)
		wrong := map[string]any{"description": long, "rules": "a\x1b[2J", "prizes": "\u202e"}
		places := func(got answer) {
			t.Helper()
			same(t, got.what, pointers(got.want(422, "invalid")), "/description /prizes /rules")
		}
		for path, body := range map[string]map[string]any{"/v1/tournaments": goodCup(w), "/v1/schedules": goodSeries(w)} {
			for key, text := range wrong {
				body[key] = text
			}
			places(w.do(organiser, "POST", path, body))
		}
		cup := w.cup(func(c *tournament.Tournament) { c.Texts.Rules = "old" })
		places(w.do(organiser, "PATCH", "/v1/tournaments/"+cup.ID, wrong))
		w.get(anon, "/v1/tournaments/"+cup.ID).has("rules", "old")

		// Who is faster between another's look and their change wins, also where that is no column of the tournament.
		cup = w.cup(func(*tournament.Tournament) {})
		bound, err := w.store.WithUnchanged(t.Context(), store.Tournaments, cup.ID)
		must.OK(t, err)
		write := func(d *director.Director, text string) error {
			_, err := d.Write(t.Context(), cup.ID, func(texts *tournament.Texts) { texts.Rules = text })
			return err
		}
		must.OK(t, write(w.director, "one"))
		if err := write(w.director.On(bound), "two"); !errors.Is(err, tournament.ErrChanged) {
			t.Errorf("got %v, want %v", err, tournament.ErrChanged)
		}
		w.get(anon, "/v1/tournaments/"+cup.ID).has("rules", "one")
	})
}

func TestTheTournamentsOfAScheduleInheritItsTexts(t *testing.T) {
	onOne(t, func(w *world) {
		w.clk.Move(time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC).Sub(w.clk.Now()))
		body := goodSeries(w)
		body["rules"] = "one"
		made := into[wire.Schedule](w.do(organiser, "POST", "/v1/schedules", body).want(201, ""))
		rules := func(number int) string {
			t.Helper()
			list := into[wire.Page[wire.Tournament]](w.get(anon, "/v1/tournaments?schedule="+made.ID).want(200, "")).Data
			for _, cup := range list {
				if cup.Number == number {
					return into[wire.Tournament](w.get(anon, "/v1/tournaments/"+cup.ID)).Rules
				}
			}
			t.Fatalf("no tournament %d", number)
			return ""
		}
		w.clk.Move(13 * time.Hour)
		w.sweep()
		w.do(organiser, "PATCH", "/v1/schedules/"+made.ID, map[string]any{"rules": "two"}).want(200, "").has("rules", "two")
		w.get(anon, "/v1/schedules/"+made.ID).has("rules", "two")
		w.get(anon, "/v1/schedules").want(200, "").has("data/0/rules", nil) // a list leaves it out
		w.clk.Move(24 * time.Hour)
		w.sweep()
		if rules(1) != "one" || rules(2) != "two" {
			t.Errorf("got %q and %q, want one and two", rules(1), rules(2))
		}
	})
}
