package api_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/web/pages"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// bracketed is a single elimination of four whose semi-finals are played.
func bracketed(w *world) tournament.Tournament {
	t, _ := w.played(func(t *tournament.Tournament) { t.Format, t.Duplicate = tournament.SingleElimination, true }, owner, admin, rival, other)
	return t
}

func TestTheBracketNamesTiesAndShowsThoseThatAreOver(t *testing.T) {
	onBoth(t, func(w *world) {
		cup := bracketed(w)
		rounds := into[wire.Page[wire.Round]](w.get(anon, "/v1/tournaments/"+cup.ID+"/bracket").want(200, "")).Data
		if len(rounds) < 2 || len(rounds[0].Tables) != 2 {
			t.Fatalf("rounds %+v, want two semi-finals and what follows", rounds)
		}
		for _, tie := range rounds[0].Tables {
			// a semi-final of two games that is over
			same(t, "tie.Name", tie.Name, "semi-final")
			holds(t, "tie.Over", tie.Over)
			same(t, "len(tie.Bots)", len(tie.Bots), 2)
			if len(tie.Points) != 2 {
				t.Fatalf("tie %+v, want a semi-final of two games that is over", tie)
			}
			same(t, "tie.Points[0]+tie.Points[1]", tie.Points[0]+tie.Points[1], 2)
			same(t, "tie.Games", tie.Games, 2)
		}
		for _, tie := range rounds[1].Tables {
			if tie.Over || tie.Points != nil || tie.Bots != nil {
				t.Errorf("tie %+v is open in a game with hidden teams: want neither bots nor points", tie)
			}
		}
		w.get(anon, "/v1/tournaments/"+cup.ID+"/bracket?limit=1").want(200, "").has("data/#", 1, "next_cursor", some{})
	})
}

// What a match is part of has one name on every page: its tie's, or the round's.
func TestEveryPageNamesTheStageOfAMatch(t *testing.T) {
	onSQLite(t, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) }, func(w *world) {
		engine, _ := catalog.Find("molehill") // with a board
		config, err := engine.Configure(nil, 2)
		must.OK(t, err)
		stakes := map[string]string{"round 1": "a place in the playoff", "semi-final": "who loses is out", "third place": "the third place", "final": "the first place"}
		for _, x := range []struct {
			name   string
			format tournament.Format
			tournament.FormatOptions
			want []string
		}{
			{"cup", tournament.SingleElimination, tournament.FormatOptions{ThirdPlace: true}, []string{"semi-final", "third place", "final"}},
			{"swiss", tournament.Swiss, tournament.FormatOptions{Rounds: 1, Playoff: tournament.SingleElimination, Finalists: 4, ThirdPlace: true}, []string{"round 1", "semi-final", "third place", "final"}},
		} {
			cup, list := w.started(func(c *tournament.Tournament) {
				c.Game, c.Config, c.Name, c.Duplicate, c.Format, c.Options = "molehill", config, x.name, false, x.format, x.FormatOptions
			}, owner, admin, rival, other)
			stages, got := map[string]string{}, []string{} // by match, and in order
			for i := 0; i < len(list); i++ {
				m := list[i]
				w.playWith(m, 1<<20, onlooker{look: func(steps int) {
					if steps == 0 || stages[m.ID] != "" {
						return
					}
					stage := between(string(w.get(anon, "/matches/"+m.ID).want(200, "").body), ">"+x.name+", ", "<")
					stages[m.ID] = stage
					if home := string(w.get(anon, "/").want(200, "").body); strings.Contains(home, "/matches/"+m.ID+"/board.svg") { // not where the deal is a pair's
						must.Say(t, home, "At stake: "+pages.Capital(stage)+" of "+x.name+": "+stakes[stage]+".")
						got = append(got, stage)
					}
				}})
				list, _, err = w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID}, store.Page{Sort: store.Oldest})
				must.OK(t, err)
			}
			slices.SortStableFunc(got, func(a, b string) int { return slices.Index(x.want, a) - slices.Index(x.want, b) })
			if got = slices.Compact(got); !slices.Equal(got, x.want) {
				t.Errorf("%s: the first page shows matches of %q, want %q", x.name, got, x.want)
			}
			for _, shown := range into[wire.Page[wire.Showing]](w.get(anon, "/v1/tournaments/"+cup.ID+"/broadcast").want(200, "")).Data {
				w.clk.Move(shown.StartsAt.Add(time.Second).Sub(w.clk.Now()))
				must.Say(t, string(w.get(anon, "/tournaments/"+cup.ID+"/broadcast").want(200, "").body), `<h2 id="match">`+pages.Capital(stages[shown.MatchID])+"<")
			}
		}
	})
}

func TestTablesAreInTheOrderOfTheStandingsAndTakenAwayInThreeFormats(t *testing.T) {
	onOne(t, func(w *world) {
		cup, _ := w.played(func(t *tournament.Tournament) { t.Duplicate = true }, owner, rival, other)
		rows := into[wire.Page[wire.CrosstableRow]](w.get(anon, "/v1/tournaments/"+cup.ID+"/crosstable").want(200, "")).Data
		standings := into[wire.Page[tournament.Standing]](w.get(anon, "/v1/tournaments/"+cup.ID+"/standings").want(200, "")).Data
		if len(rows) != 3 || len(standings) != 3 {
			t.Fatalf("%d rows of %d entries, want 3", len(rows), len(standings))
		}
		for i, r := range rows {
			if r.Bot != standings[i].Bot || r.Rank != standings[i].Rank || len(r.Cells) != 2 {
				t.Errorf("row %+v beside %+v", r, standings[i])
			}
			sum := 0.0
			for _, x := range r.Cells {
				// a share within its interval
				holds(t, "x.Games >= x.Blocks", x.Games >= x.Blocks)
				holds(t, "x.Blocks >= 1", x.Blocks >= 1)
				holds(t, "x.Low <= x.Share", x.Low <= x.Share)
				holds(t, "x.Share <= x.High", x.Share <= x.High)
				sum += x.Share * float64(x.Games)
			}
			if sum != standings[i].Points {
				t.Errorf("%s: the cells add up to %v points, the standings say %v", r.Bot, sum, standings[i].Points)
			}
		}
		page := string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
		same(t, "cells of the heat map", strings.Count(page, `<td class="n h`), 6)
		_, podium, _ := strings.Cut(page, `<ol class="podium"`)
		podium, _, _ = strings.Cut(podium, "</ol>")
		for _, line := range standings {
			must.Say(t, podium, `<a href="/bots/`+line.BotID+`">`+line.Bot+`</a><span class="n">`+fmt.Sprint(line.Points, " point"))
		}
		got := standings[0].Ties
		// those of a round robin in their order
		if len(got) != 5 {
			t.Fatalf("tie-breaks %+v, want those of a round robin in their order", got)
		}
		same(t, "got[0].By", got[0].By, "points")
		same(t, "got[1].By", got[1].By, "direct_encounter")
		same(t, "got[0].Value", got[0].Value, standings[0].Points)

		cup = bracketed(w)
		all, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID}, store.Page{})
		must.OK(t, err)
		for table, rows := range map[string]int{"standings": 4, "crosstable": 4, "bracket": -1, "matches": 2 * len(all)} {
			path := "/v1/tournaments/" + cup.ID + "/export?table=" + table
			lines, err := csv.NewReader(strings.NewReader(string(w.get(anon, path).want(200, "").body))).ReadAll()
			if err != nil {
				t.Fatalf("%s: %v", table, err)
			}
			var list []map[string]any
			if err := json.Unmarshal(w.get(anon, path+"&format=json").want(200, "").body, &list); err != nil {
				t.Fatalf("%s: %v", table, err)
			}
			objects := strings.Split(strings.TrimSpace(string(w.get(anon, path+"&format=ndjson").want(200, "").body)), "\n")
			if len(lines)-1 != len(list) || len(objects) != len(list) || rows >= 0 && len(list) != rows {
				t.Errorf("%s: %d lines, %d objects, %d objects a line; want %d of each", table, len(lines)-1, len(list), len(objects), rows)
			}
			for i, one := range list {
				var again map[string]any
				if err := json.Unmarshal([]byte(objects[i]), &again); err != nil || len(again) != len(one) || len(one) != len(lines[0]) {
					t.Errorf("%s row %d: %s (%v), want %v", table, i, objects[i], err, one)
				}
			}
			if table == "matches" {
				bot, status := slices.Index(lines[0], "bot"), slices.Index(lines[0], "status")
				for _, l := range lines[1:] {
					if open := l[status] == "done"; (l[bot] != "") != open {
						t.Errorf("%v: the bot of a match with hidden teams is named once it is over, and only then", l)
					}
				}
			}
		}
		w.get(anon, "/v1/tournaments/"+cup.ID+"/export?table=secrets").want(400, "")
		w.get(anon, "/v1/tournaments/"+cup.ID+"/export?format=xlsx").want(400, "")
	})
}

// What was played before a substitute came names whoever played it, wherever rounds are shown, and a bracket still shows how the place came
// on. A replaced bot has an entry that says by whom.
func TestRoundsNameWhoPlayedThem(t *testing.T) {
	onOne(t, func(w *world) {
		open := func(format tournament.Format) (tournament.Tournament, []tournament.Match) {
			return w.started(func(t *tournament.Tournament) {
				t.Game, t.Config, t.Format = "toy", json.RawMessage(`{"steps":3}`), format
			}, owner, admin, rival, other)
		}
		elimination, _ := open(tournament.SingleElimination)
		for range 2 { // the semi-finals have a second part, as games of toy are drawn
			list, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: elimination.ID, Status: tournament.MatchQueued}, store.Page{})
			must.OK(t, err)
			for _, m := range list {
				w.play(m, 100)
			}
		}
		robin, list := open(tournament.RoundRobin)
		last := list[len(list)-1]
		w.play(last, 100) // of the last round, before the rounds before it
		for _, row := range []struct {
			cup    tournament.Tournament
			out    string // the bot that is replaced
			before []int  // rounds that it played
			after  []int
		}{
			{elimination, into[wire.Page[wire.Round]](w.get(anon, "/v1/tournaments/"+elimination.ID+"/bracket").want(200, "")).Data[1].Tables[0].Winner, []int{1, 2}, nil},
			{robin, "", []int{3}, []int{1, 2}},
		} {
			entries, err := w.store.Entries(t.Context(), row.cup.ID)
			must.OK(t, err)
			at := slices.IndexFunc(entries, func(e tournament.Entry) bool { return e.BotName == row.out || e.BotID == last.Seats[0].BotID })
			gone, by := entries[at], w.bot(organiser)
			lines := func() int {
				return strings.Count(string(w.get(anon, "/tournaments/"+row.cup.ID).want(200, "").body), `<path class="won"`)
			}
			joined := lines()
			same(t, "a bracket has lines", joined > 0, row.cup.Format == tournament.SingleElimination)
			_, err = w.director.Substitute(t.Context(), row.cup.ID, gone.BotID, by.ID)
			must.OK(t, err)
			rounds := into[wire.Page[wire.Round]](w.get(anon, "/v1/tournaments/"+row.cup.ID+"/bracket").want(200, "")).Data
			sheet := string(w.get(anon, "/v1/tournaments/"+row.cup.ID+"/export?table=bracket").want(200, "").body)
			page := string(w.get(anon, "/tournaments/"+row.cup.ID).want(200, "").body)
			sits := func(round int, bot string) bool {
				return slices.ContainsFunc(rounds[round-1].Tables, func(x wire.Table) bool { return slices.Contains(x.Bots, bot) })
			}
			for _, n := range row.before {
				if !sits(n, gone.BotName) || sits(n, by.Name) {
					t.Errorf("%s, round %d: %+v, want %s, who played it", row.cup.Format, n, rounds[n-1].Tables, gone.BotName)
				}
			}
			for _, n := range row.after {
				if sits(n, gone.BotName) || !sits(n, by.Name) {
					t.Errorf("%s, round %d: %+v, want %s, who is to play it", row.cup.Format, n, rounds[n-1].Tables, by.Name)
				}
			}
			same(t, "its rows in the sheet", strings.Count(sheet, ","+gone.BotName+","), len(row.before))
			_, tables, _ := strings.Cut(page, `id="schedule"`)
			holds(t, "the tables of the page name it", strings.Contains(tables, ">"+gone.BotName+"<"))
			same(t, "lines of the bracket", lines(), joined)
			since := 3
			if len(row.after) > 0 {
				since = row.after[0]
			}
			want := fmt.Sprintf("replaced by %s since round %d", by.Name, since)
			holds(t, "the page says who was replaced", strings.Contains(page, want))
			for _, e := range into[wire.Page[wire.Entry]](w.get(anon, "/v1/tournaments/"+row.cup.ID+"/entries").want(200, "")).Data {
				if e.BotID == gone.BotID && (e.State != "replaced" || e.Text != want) {
					t.Errorf("the entry of %s is %q (%s), want %q", e.Bot, e.State, e.Text, want)
				}
			}
		}
	})
}

func TestTiesNameWhoCameToTheirEndAndVoidTablesAreTold(t *testing.T) {
	onOne(t, func(w *world) {
		// The sides of a tie that two bots played for one place have in the bracket's page the names of its end, as the API names its winner.
		for _, playoff := range []bool{false, true} {
			cup, _ := w.started(func(t *tournament.Tournament) {
				t.Game, t.Config, t.Format = "toy", json.RawMessage(`{"steps":3}`), tournament.SingleElimination
				if playoff {
					t.Format, t.Options.Rounds = tournament.Swiss, 1
					t.Options.Playoff, t.Options.Finalists = tournament.SingleElimination, 2
				}
			}, owner, rival)
			round := func() { // plays what waits
				list, _, err := w.store.Matches(t.Context(), store.MatchFilter{TournamentID: cup.ID, Status: tournament.MatchQueued}, store.Page{})
				must.OK(t, err)
				for _, m := range list {
					w.play(m, 100)
				}
			}
			round() // the first part of the final: games of toy are drawn
			if playoff {
				round()
			}
			entries, err := w.store.Entries(t.Context(), cup.ID)
			must.OK(t, err)
			gone, by := entries[0], w.bot(organiser)
			_, err = w.director.Substitute(t.Context(), cup.ID, gone.BotID, by.ID)
			must.OK(t, err)
			named := func(when string) {
				page := string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
				_, bracket, _ := strings.Cut(page, `id="bracket"`)
				bracket, _, _ = strings.Cut(bracket, "</section>")
				if strings.Contains(bracket, gone.BotName) || !strings.Contains(bracket, ">"+by.Name+"<") {
					t.Errorf("%s, playoff %v: want %s in place of %s in %s", when, playoff, by.Name, gone.BotName, bracket)
				}
			}
			named("before the last part")
			round()
			named("after it")
		}

		// The page, the API and the sheets show a table whose only match is void, and what explains a line of the standings.
		cup, list := w.started(func(t *tournament.Tournament) { t.Game, t.Config = "toy", json.RawMessage(`{"steps":3}`) }, owner, rival, other)
		_, err := w.director.VoidMatch(t.Context(), list[0].ID, "enough")
		must.OK(t, err)
		gone := list[0].Seats[0]
		_, err = w.director.Withdraw(t.Context(), cup.ID, gone.BotID, gone.OwnerID)
		must.OK(t, err)
		table := into[wire.Page[wire.Round]](w.get(anon, "/v1/tournaments/"+cup.ID+"/bracket").want(200, "")).Data[0].Tables[0]
		if !table.Void || !table.Over || table.Games != 0 || table.Points != nil {
			t.Errorf("the table is %+v, want it void", table)
		}
		rows := func(name string) []map[string]any {
			var out []map[string]any
			must.OK(t, json.Unmarshal(w.get(anon, "/v1/tournaments/"+cup.ID+"/export?format=json&table="+name).want(200, "").body, &out))
			return out
		}
		void := 0
		for _, row := range rows("bracket") {
			if row["round"] == 1. && row["kind"] == "table" && row["why"] == "void" && row["points"] == nil {
				void++
			}
		}
		same(t, "rows of the void table", void, 2)
		page := string(w.get(anon, "/tournaments/"+cup.ID).want(200, "").body)
		holds(t, "the page says void", strings.Contains(page, "(void)"))
		for _, line := range into[wire.Page[tournament.Standing]](w.get(anon, "/v1/tournaments/"+cup.ID+"/standings").want(200, "")).Data {
			left := line.BotID == gone.BotID
			same(t, line.Bot+" has a remark", line.Remark() != "", left)
			holds(t, "the page has it", strings.Contains(page, line.Remark()))
			for _, row := range rows("standings") {
				if row["bot_id"] == line.BotID {
					same(t, line.Bot+" has left by the sheet", row["withdrew_after_round"] != nil, left)
				}
			}
		}
	})
}
