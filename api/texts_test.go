package api_test

import (
	"errors"
	"net/http/httptest"
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
		if got := into[wire.Tournament](w.get(anon, path).want(200, "")).Texts; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		same(t, "a list has", into[wire.Page[wire.Tournament]](w.get(anon, "/v1/tournaments").want(200, "")).Data[0].Texts, (tournament.Texts{}))
		page := string(w.get(anon, "/tournaments/"+made.ID).want(200, "").body)
		says(t, page,
			`<h2 id="text0">Description</h2>`, "<p>Every <em>Friday</em>.</p>", `<h2 id="text1">Prizes</h2>`,
			`<a href="https://club.example" rel="nofollow noopener">A cup</a>`,
		)
		says(t, page, "not", "alert(1)</script>", "Rules of this tournament")

		want.Description, want.Rules = "", "Be *kind*."
		got := w.do(organiser, "PATCH", path, map[string]any{"description": "", "rules": "Be *kind*."}).want(200, "")
		if texts := into[wire.Tournament](got).Texts; texts != want {
			t.Errorf("got %+v, want %+v", texts, want)
		}
		same(t, "cancelled", into[wire.Tournament](w.do(organiser, "POST", path+"/cancel", map[string]any{"reason": "rain"}).want(200, "")).Texts, want)
		w.do(organiser, "PATCH", path, map[string]any{"rules": "x"}).want(409, "wrong_state")
		same(t, "after the end", into[wire.Tournament](w.get(anon, path).want(200, "")).Texts, want)
	})
}

func TestBadTextsAreNamedAllAtOnceAndChangeNothing(t *testing.T) {
	onOne(t, func(w *world) {
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
		if got := into[wire.Tournament](w.get(anon, "/v1/tournaments/"+cup.ID)).Rules; got != "old" {
			t.Errorf("got %q, want the old rules", got)
		}
	})
}

func TestTwoWhoWriteDoNotLoseWhatTheOtherWrote(t *testing.T) {
	onOne(t, func(w *world) {
		cup := w.cup(func(*tournament.Tournament) {})
		path := "/v1/tournaments/" + cup.ID
		tag := w.get(organiser, path).header.Get("ETag")
		patch := func(text string) answer {
			r := withToken(httptest.NewRequestWithContext(t.Context(), "PATCH", path, strings.NewReader(`{"rules":"`+text+`"}`)), w.tokens[organiser])
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("If-Match", tag)
			return w.send(r)
		}
		patch("one").want(200, "")
		patch("two").want(412, "changed_meanwhile")
		// And where the other is faster between the look and the change.
		bound, err := w.store.WithUnchanged(t.Context(), store.Tournaments, cup.ID)
		must.OK(t, err)
		write := func(d *director.Director, text string) error {
			_, err := d.Write(t.Context(), cup.ID, func(texts *tournament.Texts) { texts.Rules = text })
			return err
		}
		must.OK(t, write(w.director, "three"))
		if err := write(w.director.On(bound), "four"); !errors.Is(err, tournament.ErrChanged) {
			t.Errorf("got %v, want %v", err, tournament.ErrChanged)
		}
		if got := into[wire.Tournament](w.get(anon, path)).Rules; got != "three" {
			t.Errorf("got %q, want three", got)
		}
	})
}

func TestTheTournamentsOfAScheduleInheritItsTexts(t *testing.T) {
	onOne(t, func(w *world) {
		w.clk.move(time.Date(2026, 3, 27, 12, 0, 0, 0, time.UTC).Sub(w.clk.Now()))
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
		w.clk.move(13 * time.Hour)
		w.sweep()
		got := into[wire.Schedule](w.do(organiser, "PATCH", "/v1/schedules/"+made.ID, map[string]any{"rules": "two"}).want(200, ""))
		if got.Rules != "two" || into[wire.Schedule](w.get(anon, "/v1/schedules/"+made.ID)).Rules != "two" {
			t.Errorf("got %q, want two", got.Rules)
		}
		if list := into[wire.Page[wire.Schedule]](w.get(anon, "/v1/schedules").want(200, "")).Data; list[0].Rules != "" {
			t.Errorf("a list has %q, want it left out", list[0].Rules)
		}
		w.clk.move(24 * time.Hour)
		w.sweep()
		if rules(1) != "one" || rules(2) != "two" {
			t.Errorf("got %q and %q, want one and two", rules(1), rules(2))
		}
	})
}
