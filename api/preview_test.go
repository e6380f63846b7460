package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

func TestAPreviewMakesNothingAndEverythingWrongIsToldAtOnce(t *testing.T) {
	onOne(t, func(w *world) {
		body := goodCup(w)
		body["format"], body["capacity"] = "swiss", 4
		got := into[wire.Preview](w.do(organiser, "POST", "/v1/tournaments/preview", body).want(200, "").has("rounds", 3, "matches", 12))
		if got.MatchMS <= 0 || got.LeastMS != 3*got.MatchMS || got.MostMS != 12*got.MatchMS {
			t.Errorf("got %+v, want three to twelve times the length of a match", got)
		}
		w.do(organiser, "POST", "/v1/schedules/preview", goodSeries(w)).want(200, "").has("starts/#", 5, "matches", 12)
		for _, path := range []string{"/v1/tournaments", "/v1/schedules"} {
			w.get(anon, path).want(200, "").has("data/#", 0)
		}

		cup := goodCup(w)
		cup["name"], cup["format"], cup["cycles"], cup["capacity"] = "", "knockout", 0, 1
		cup["closes_at"], cup["config"] = cup["opens_at"], map[string]any{"laps": 4}
		const wrong = "/capacity /closes_at /config/laps /cycles /format /name"
		for _, path := range []string{"/v1/tournaments", "/v1/tournaments/preview"} {
			same(t, path, pointers(w.do(organiser, "POST", path, cup).want(422, "invalid")), wrong)
		}
		cup["game"] = "chess"
		same(t, "another game", pointers(w.do(organiser, "POST", "/v1/tournaments", cup).want(422, "invalid")), "/capacity /closes_at /cycles /format /game /name")
		sprt := goodCup(w)
		sprt["format"], sprt["format_options"] = "sprt", map[string]any{"elo0": 2000, "alpha": .7, "max_pairs": -1}
		if got := pointers(w.do(organiser, "POST", "/v1/tournaments", sprt).want(422, "invalid")); got !=
			"/capacity /format_options/alpha /format_options/elo0 /format_options/elo1 /format_options/max_pairs /rated" {
			t.Errorf("sprt: got %s, want all that is wrong", got)
		}
		series := goodSeries(w)
		series["name"], series["zone"], series["opens_before_ms"], series["cycles"] = "{day}", "Amsterdam", 1, 0
		series["cron"] = "whenever"
		same(t, "schedule", pointers(w.do(organiser, "POST", "/v1/schedules", series).want(422, "invalid")), "/cron /cycles /name /opens_before_ms /zone")
		path := "/v1/schedules/" + w.series(func(*schedule.Schedule) {}).ID
		patch := map[string]any{"name": "", "zone": "Amsterdam", "cycles": 0}
		same(t, "a change", pointers(w.do(organiser, "PATCH", path, patch).want(422, "invalid")), "/cycles /name /zone")

		for _, path := range []string{"/v1/tournaments/" + w.cup(func(*tournament.Tournament) {}).ID, "/v1/schedules/" + w.series(func(*schedule.Schedule) {}).ID} {
			w.do(organiser, "POST", path+"/cancel", nil).want(200, "").has("status", "cancelled", "reason", "cancelled by its organiser")
		}
	})
}

// pointers returns the places that a refusal names, in order.
func pointers(a answer) string {
	var out []string
	for _, p := range into[wire.Problem](a).Errors {
		out = append(out, p.Pointer)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func TestEverythingWrongWithAFormIsToldAtOnce(t *testing.T) {
	onOne(t, func(w *world) {
		cup := goodCup(w)
		cup["capacity"], cup["Cycles"], cup["colour"], cup["rated"] = nil, 1, "red", "perhaps"
		cup["starts_at"], cup["clock"] = "tomorrow", map[string]any{"limit_ms": 1.5, "bank_ms": "long"}
		delete(cup, "cycles")
		delete(cup, "game")
		const wrong = "/Cycles /capacity /clock/bank_ms /clock/increment_ms /clock/limit_ms /clock/network_allowance_ms /colour /game /rated /starts_at"
		for _, path := range []string{"/v1/tournaments", "/v1/tournaments/preview"} {
			same(t, path, pointers(w.do(organiser, "POST", path, cup).want(400, "bad_json")), wrong)
		}
		if got := pointers(w.do(organiser, "GET", "/v1/matches?foo=1&bar=2&limit=0&tournament=x&game=zz&game=yy", nil).want(400, "bad_query")); got !=
			"?bar ?foo ?game ?limit ?tournament" {
			t.Errorf("a query: got %s, want all that is wrong", got)
		}
		cup = goodCup(w)
		cup["config"] = map[string]any{"laps": 4, "rods": "many"}
		same(t, "a configuration", pointers(w.do(organiser, "POST", "/v1/tournaments", cup).want(422, "invalid")), "/config/laps /config/rods")
	})
}
