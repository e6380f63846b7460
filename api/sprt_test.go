package api_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// goodTrial is a body that announces an sprt.
func goodTrial(w *world) map[string]any {
	body := goodCup(w)
	maps.Copy(body, map[string]any{"format": "sprt", "rated": false, "capacity": 2, "format_options": map[string]any{"elo1": 10, "max_pairs": 3}})
	return body
}

func TestAnSPRTIsCheckedWithItsPlace(t *testing.T) {
	onBoth(t, func(w *world) {
		w.refuses("/v1/tournaments", goodTrial, []misfit{
			{"rated", true, "/rated"},
			{"duplicate", false, "/duplicate"},
			{"table_size", 3, "/table_size"},
			{"capacity", 3, "/capacity"},
			{"cycles", 2, "/cycles"},
			{"format", "round_robin", "/format_options/elo0"},
			{"format_options", map[string]any{"elo0": -1001, "elo1": 5}, "/format_options/elo0"},
			{"format_options", map[string]any{"elo0": 10, "elo1": 10}, "/format_options/elo1"},
			{"format_options", map[string]any{"elo1": 1001}, "/format_options/elo1"},
			{"format_options", map[string]any{"elo1": 151, "normalised": true}, "/format_options/elo1"},
			{"format_options", map[string]any{"elo0": -151, "normalised": true}, "/format_options/elo0"},
			{"format_options", map[string]any{"elo0": 5}, "/format_options/elo1"},
			{"format_options", map[string]any{"alpha": 0.5}, "/format_options/alpha"},
			{"format_options", map[string]any{"alpha": -0.1}, "/format_options/alpha"},
			{"format_options", map[string]any{"beta": 0.0001}, "/format_options/beta"},
			{"format_options", map[string]any{"max_pairs": 10_001}, "/format_options/max_pairs"},
			{"format_options", map[string]any{"max_pairs": -1}, "/format_options/max_pairs"},
			{"format_options", map[string]any{"rounds": 3}, "/format_options/rounds"},
		})
		for _, options := range []map[string]any{{"max_pairs": 500}, {"elo0": -5, "max_pairs": 500}, {"elo0": -5, "elo1": 5, "alpha": .01, "beta": .2, "normalised": true, "max_pairs": 40}} {
			body := goodTrial(w)
			body["format_options"] = options
			made := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", body).want(201, ""))
			again := into[wire.Tournament](w.get(anon, "/v1/tournaments/"+made.ID).want(200, ""))
			if most := 2 * options["max_pairs"].(int); again.Expected != most {
				t.Errorf("%v: at most %d matches, want %d", options, again.Expected, most)
			}
			if o := again.Options; options["alpha"] != nil && !reflect.DeepEqual(*o, tournament.FormatOptions{Test: tournament.Test{Elo0: -5, Elo1: 5, Alpha: .01, Beta: .2, Normalised: true, MaxPairs: 40}}) {
				t.Errorf("%v: got %+v", options, o)
			}
		}
	})
}

func TestAnSPRTShowsWhereItStands(t *testing.T) {
	onOne(t, func(w *world) {
		made := into[wire.Tournament](w.do(organiser, "POST", "/v1/tournaments", goodTrial(w)).want(201, ""))
		path := "/v1/tournaments/" + made.ID
		for _, who := range []string{owner, other} {
			w.do(who, "POST", path+"/entries", map[string]any{"bot_id": w.bot(who).ID, "against_version_id": "x"}).want(422, "invalid").place("/against_version_id")
			w.do(who, "POST", path+"/entries", map[string]any{"bot_id": w.bot(who).ID}).want(201, "")
		}
		w.do(organiser, "POST", path+"/start", nil).want(200, "")
		ids, _ := walk(w, anon, path+"/matches", func(m wire.Match) string { return m.ID })
		if len(ids) != 6 {
			t.Fatalf("%d matches, want three pairs", len(ids))
		}
		for _, id := range ids {
			w.play(w.matchOf(id), 100)
		}
		if got := into[wire.Tournament](w.get(anon, path).want(200, "")); got.Status != string(tournament.Finished) || !strings.Contains(got.Reason, "undecided after 3 pairs") || got.Rated {
			t.Errorf("got %+v, want it finished in words", got)
		}
		lines := into[wire.Page[tournament.Standing]](w.get(anon, path+"/standings").want(200, "")).Data
		var x tournament.Trial
		for _, l := range lines {
			if l.Trial != nil {
				x = *l.Trial
			}
			if l.VersionID == "" || l.Played != 6 {
				t.Errorf("line %+v, want its version and six matches", l)
			}
		}
		if x.Verdict != "undecided" || x.Pairs != 3 || len(x.Tally) != 5 || x.Elo1 != 10 {
			t.Errorf("got %+v, want where it stands after three pairs", x)
		}
		holds(t, "each figure is within its bounds", x.Lower < x.LLR && x.LLR < x.Upper && x.Low <= x.Elo && x.Elo <= x.High)
		w.get(anon, path+"/crosstable").want(200, "").has("data/#", 2, "data/0/cells/0/blocks", 3, "data/0/cells/0/games", 6)
		csv := strings.Split(strings.TrimSpace(string(w.get(anon, path+"/export").want(200, "").body)), "\n")
		if len(csv) != 3 {
			t.Fatalf("export\n%s", strings.Join(csv, "\n"))
		}
		must.Say(t, csv[0], ",verdict,pairs,llr,llr_lower,llr_upper,elo,elo_low,elo_high,by_points")
		must.Say(t, csv[1]+csv[2], ",undecided,3,")
		for _, line := range csv[1:] {
			same(t, "columns of "+line, strings.Count(line, ","), strings.Count(csv[0], ","))
		}

		cup, list := w.started(func(c *tournament.Tournament) {
			c.Game, c.Config, c.Format, c.Rated, c.Duplicate, c.Capacity = "toy", json.RawMessage(`{"steps":5}`), tournament.SPRT, false, true, 2
			c.Options.Test.MaxPairs = 4
		}, owner, other)
		for _, m := range list[:4] {
			w.play(m, 100)
		}
		body := string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
		must.Say(t, body, `aria-label="The path of the test"`, "After 2 pairs the log-likelihood ratio (LLR) is ", `<td class="n">2</td>`)
		must.Say(t, body, "not", "Points by round", "Watch it together") // no round of it is shown
		for _, m := range list[4:] {
			w.play(m, 100)
		}
		body = string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
		must.Say(t, body, "It is undecided whether ", " by 30 Elo. Measured in 4 pairs: ", "not", `class="podium"`)
	})
}
