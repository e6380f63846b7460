package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/series"
)

// finished is a cup of these bots that is over.
func (w *world) finished(bots ...tournament.Bot) tournament.Tournament {
	w.t.Helper()
	cup := w.cup(func(t *tournament.Tournament) { t.Rated = false })
	_, list := w.begin(cup, bots...)
	for _, m := range list {
		w.play(m, 100)
	}
	cup, err := w.store.Tournament(w.t.Context(), cup.ID)
	if err != nil || cup.Status != tournament.Finished {
		w.t.Fatalf("the cup is %s (%v), want it finished", cup.Status, err)
	}
	return cup
}

// standing is a bot's line in a cup.
func (w *world) standing(cup tournament.Tournament, b tournament.Bot) tournament.Standing {
	w.t.Helper()
	lines := into[wire.Page[tournament.Standing]](w.get(anon, "/v1/tournaments/"+cup.ID+"/standings").want(200, "")).Data
	i := slices.IndexFunc(lines, func(l tournament.Standing) bool { return l.BotID == b.ID })
	if i < 0 {
		w.t.Fatalf("%s is not in %s", b.Name, cup.Name)
	}
	return lines[i]
}

// seriesLine is a bot's line in a series.
func (w *world) seriesLine(path string, b tournament.Bot) series.Line {
	w.t.Helper()
	lines := into[wire.Page[series.Line]](w.get(anon, path+"/standings").want(200, "")).Data
	i := slices.IndexFunc(lines, func(l series.Line) bool { return l.BotID == b.ID })
	if i < 0 {
		w.t.Fatalf("%s is not in the series", b.Name)
	}
	return lines[i]
}

func TestASeriesFromItsTournamentsToItsStandings(t *testing.T) {
	onBoth(t, func(w *world) {
		a, b, c := w.bot(owner), w.bot(other), w.bot(rival)
		first := w.finished(a, b)
		_, err := w.director.Promote(t.Context(), a.ID, w.version(a, "b2").ID)
		must.OK(t, err)
		second := w.finished(a, b, c)
		coming := w.cup(func(*tournament.Tournament) {})
		off := w.cup(func(*tournament.Tournament) {})
		_, err = w.director.Cancel(t.Context(), off.ID, "rain")
		must.OK(t, err)
		ids := []string{first.ID, second.ID, coming.ID, off.ID}
		got := w.do(organiser, "POST", "/v1/series", map[string]any{"name": "Fridays", "tournaments": ids, "best": 1}).want(201, "")
		made := into[wire.Series](got)
		path := "/v1/series/" + made.ID
		same(t, "it is at", got.header.Get("Location"), path)
		want := wire.Series{
			ID:          made.ID,
			OrganiserID: w.users[organiser].ID,
			Name:        "Fridays",
			Tournaments: ids,
			By:          "points",
			Best:        1,
			CreatedAt:   made.CreatedAt,
		}
		if diff := cmp.Diff(want, made); diff != "" {
			t.Errorf("made otherwise (-want +got):\n%s", diff)
		}

		w.do(owner, "DELETE", "/v1/bots/"+a.ID, nil).want(204, "") // it stays with what it has
		line := w.seriesLine(path, a)
		x, y := w.standing(first, a), w.standing(second, a)
		if want := max(x.Points, y.Points); line.Points != want || line.Played != 2 {
			t.Errorf("got %+v, want the better of %v and %v", line, x.Points, y.Points)
		}
		if len(line.Results) != 2 || line.Results[0].TournamentID != first.ID || line.Results[0].Counts == line.Results[1].Counts {
			t.Errorf("got %+v, want both versions' results, of which one counts", line.Results)
		}
		if line := w.seriesLine(path, c); line.Played != 1 || line.Points != w.standing(second, c).Points || !line.Results[0].Counts {
			t.Errorf("got %+v, want what it has in the one", line)
		}

		w.do(organiser, "PATCH", path, map[string]any{"by": "rank", "rank_points": []float64{12, 6, 3}, "best": 0, "tournaments": []string{first.ID}}).want(200, "")
		want.By = "rank"
		want.Best = 0
		want.Tournaments = []string{first.ID}
		want.RankPoints = []float64{12, 6, 3}
		if diff := cmp.Diff(want, into[wire.Series](w.get(anon, path).want(200, ""))); diff != "" {
			t.Errorf("patched otherwise (-want +got):\n%s", diff)
		}
		points := map[int]float64{1: 12, 2: 6}[x.Rank]
		if x.Rank == w.standing(first, b).Rank {
			points = 9
		}
		if line := w.seriesLine(path, a); line.Points != points {
			t.Errorf("got %+v with rank %d, want %v points", line, x.Rank, points)
		}
		w.do(organiser, "PATCH", path, map[string]any{"by": "points"}).want(200, "").has("by", "points", "rank_points", nil)
		w.do(organiser, "DELETE", path, nil).want(204, "")
		w.get(anon, path).want(404, "not_found")
		w.do(organiser, "DELETE", path, nil).want(404, "not_found")
		w.get(anon, "/v1/tournaments/"+first.ID).want(200, "")
	})
}

func TestASeriesOfAScheduleGrowsWithIt(t *testing.T) {
	onOne(t, func(w *world) {
		x := w.series(func(*schedule.Schedule) {})
		of := func() wire.Series {
			t.Helper()
			return into[wire.Series](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "Nights", "schedule_id": x.ID, "by": "rank"}).want(201, ""))
		}
		made := of()
		if len(made.RankPoints) != 10 || made.RankPoints[0] != 25 || made.Tournaments != nil {
			t.Errorf("got %+v, want the points that are given if none are sent", made)
		}
		page := string(w.get(anon, "/series/"+made.ID).want(200, "").body)
		must.Say(t, page, "No tournament of this series has finished yet.", "has made no tournament yet", "25, 18, 15")
		w.clk.Move(time.Date(2026, 3, 2, 19, 30, 0, 0, time.UTC).Sub(w.clk.Now()))
		w.sweep()
		cup := into[wire.Page[wire.Tournament]](w.get(anon, "/v1/tournaments?schedule="+x.ID).want(200, "")).Data[0]
		must.Say(t, string(w.get(anon, "/series/"+made.ID).want(200, "").body), `<a href="/tournaments/`+cup.ID+`">`)
		must.Say(t, string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body), `<a href="/series/`+made.ID+`">Nights</a>`)
		again := of()
		other := into[wire.Series](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "By hand", "tournaments": []string{w.cup(func(*tournament.Tournament) {}).ID}}).want(201, ""))
		for path, want := range map[string][]string{
			"?limit=1":              {other.ID, again.ID, made.ID},
			"?schedule=" + x.ID:     {again.ID, made.ID},
			"?tournament=" + cup.ID: {again.ID, made.ID},
			"?limit=1&tournament=" + other.Tournaments[0]: {other.ID},
		} {
			if ids, _ := walk(w, anon, "/v1/series"+path, func(x wire.Series) string { return x.ID }); !slices.Equal(ids, want) {
				t.Errorf("%s: got %v, want %v", path, ids, want)
			}
		}
		w.do(organiser, "PATCH", "/v1/series/"+made.ID, map[string]any{"tournaments": []string{cup.ID}}).want(422, "invalid").place("/tournaments")
	})
}

func TestASeriesOnItsPageAndInFiles(t *testing.T) {
	onOne(t, func(w *world) {
		a, b := w.bot(owner), w.bot(other)
		first, second := w.finished(a, b), w.finished(b, a)
		made := into[wire.Series](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "Fridays", "tournaments": []string{first.ID, second.ID}, "best": 1}).want(201, ""))
		page := string(w.get(anon, "/series/"+made.ID).want(200, "").body)
		must.Say(t, page,
			"<h1>Fridays</h1>", "The best result of a bot counts", `<a href="/bots/`+a.ID+`">`+a.Name+"</a>", `<a href="/tournaments/`+second.ID+`">`,
			`<td class="n">(`, `/v1/series/`+made.ID+`/export?format=csv`,
		)
		path := "/v1/series/" + made.ID + "/export"
		csv := strings.Split(strings.TrimSpace(string(w.get(anon, path).want(200, "").body)), "\n")
		if len(csv) != 5 || csv[0] != "rank,bot_id,bot,points,played,wins,tournament_id,tournament,tournament_rank,tournament_points,counts" {
			t.Errorf("got\n%s\nwant a head and four results", strings.Join(csv, "\n"))
		}
		var list []map[string]any
		if err := json.Unmarshal(w.get(anon, path+"?format=json").want(200, "").body, &list); err != nil || len(list) != 4 || list[0]["played"] != 2.0 {
			t.Errorf("got %v (%v), want four results", list, err)
		}
		same(t, "lines", strings.Count(string(w.get(anon, path+"?format=ndjson").want(200, "").body), "\n"), 4)
		w.get(anon, path+"?format=xml").want(400, "bad_query").place("?format")

		x := w.series(func(*schedule.Schedule) {})
		made = into[wire.Series](w.do(organiser, "POST", "/v1/series", map[string]any{"name": "Nights", "schedule_id": x.ID}).want(201, ""))
		w.do(organiser, "DELETE", "/v1/schedules/"+x.ID, nil).want(204, "")
		w.get(anon, "/v1/series/"+made.ID).want(404, "not_found")
	})
}

func TestBadSeriesAreRefusedWithAllTheirPlaces(t *testing.T) {
	onOne(t, func(w *world) {
		mine := w.cup(func(*tournament.Tournament) {}).ID
		theirs := w.cup(func(c *tournament.Tournament) { c.OrganiserID = w.users[rival].ID }).ID
		foreign := w.series(func(x *schedule.Schedule) { x.OrganiserID = w.users[rival].ID }).ID
		const nobody = "01890000-0000-7000-8000-000000000000"
		for _, row := range []struct {
			name string
			body map[string]any
			want string
		}{
			{"nothing", map[string]any{"name": ""}, "/name /schedule_id"},
			{"values", map[string]any{"name": "", "by": "luck", "best": -1, "rank_points": []int{1}, "tournaments": []string{}}, "/best /by /name /rank_points /tournaments"},
			{"tournaments", map[string]any{"name": "x", "tournaments": []string{mine, theirs, "x", nobody, mine}}, "/tournaments/1 /tournaments/2 /tournaments/3 /tournaments/4"},
			{"no schedule", map[string]any{"name": "", "schedule_id": nobody}, "/name /schedule_id"},
			{"no id", map[string]any{"name": "x", "schedule_id": "x"}, "/schedule_id"},
			{"a foreign schedule", map[string]any{"name": "x", "schedule_id": foreign}, "/schedule_id"},
			{"rank points", map[string]any{"name": "x", "tournaments": []string{mine}, "by": "rank", "rank_points": []float64{1, 2, -1}}, "/rank_points/1 /rank_points/2"},
		} {
			same(w.t, row.name, pointers(w.do(organiser, "POST", "/v1/series", row.body).want(422, "invalid")), row.want)
		}
		w.get(anon, "/v1/series").want(200, "").has("data/#", 0)
		w.do(organiser, "POST", "/v1/series", map[string]any{"name": "x", "tournaments": []string{mine}, "colour": "red"}).want(400, "bad_json").place("/colour")
		made := into[wire.Series](w.do(admin, "POST", "/v1/series", map[string]any{"name": "x", "tournaments": []string{mine, theirs}}).want(201, ""))
		w.do(organiser, "PATCH", "/v1/series/"+made.ID, map[string]any{"name": "y"}).want(403, "not_yours")
		w.do(admin, "PATCH", "/v1/series/"+made.ID, map[string]any{"name": "", "best": 2}).want(422, "invalid").place("/name")
		w.get(anon, "/v1/series/"+made.ID).has("name", "x", "tournaments/#", 2)
	})
}
