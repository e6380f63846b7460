package api_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/schedule"
)

// matchIDs are the ids of a list of matches, all pages of it.
func (w *world) matchIDs(query string) []string {
	w.t.Helper()
	ids, _ := walk(w, anon, "/v1/matches?"+query, func(m wire.Match) string { return m.ID })
	return ids
}

func TestMatchesAreListedByGameBotResultAndTime(t *testing.T) {
	onOne(t, func(w *world) {
		_, toys := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", json.RawMessage(`{"steps":5}`) }, owner, other)
		w.play(toys[0], 100)
		w.clk.Move(time.Hour)
		noon := url.QueryEscape(w.clk.Now().Format(time.RFC3339))
		w.clk.Move(time.Hour)
		_, later := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", json.RawMessage(`{"steps":5}`) }, owner, rival)
		played := w.matchOf(toys[0].ID)
		bot, verdict := played.Seats[0].BotID, string(played.Seats[0].Verdict)
		other := map[string]string{"win": "loss", "loss": "draw", "draw": "win"}[verdict]
		for query, want := range map[string]string{
			"game=toy&limit=1":                  later[0].ID + " " + toys[0].ID,
			"game=masks":                        "",
			"bot=" + bot:                        toys[0].ID,
			"bot=" + bot + "&result=" + verdict: toys[0].ID,
			"bot=" + bot + "&result=" + other:   "",
			"bot=" + later[0].Seats[0].BotID:    later[0].ID,
			"until=" + noon:                     toys[0].ID,
			"since=" + noon:                     later[0].ID,
			"status=queued&tournament=" + toys[0].TournamentID: "",
		} {
			same(t, query, strings.Join(w.matchIDs(query), " "), want)
		}
		w.get(anon, "/v1/matches?result=win").want(400, "bad_query").place("?result")
		w.get(anon, "/v1/matches?since=yesterday").want(400, "bad_query").place("?since")
		w.get(anon, "/v1/matches?since="+noon+"&until="+noon).want(400, "bad_query").place("?until")
		for _, empty := range []string{"game", "ladder", "tournament", "bot", "since"} { // not all matches, for a script whose variable is empty
			w.get(anon, "/v1/matches?"+empty+"=").want(400, "bad_query").place("?" + empty)
		}
	})
}

// A list by bot must not tell who plays before a match of hidden teams is over, not by a row, a short page or a cursor.
func TestAListByBotDoesNotNameHiddenTeams(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		bot := list[0].Seats[0].BotID
		w.play(list[0], 2)
		for _, query := range []string{"bot=" + bot, "bot=" + bot + "&limit=1", "bot=" + bot + "&status=running"} {
			got := into[wire.Page[wire.Match]](w.get(anon, "/v1/matches?"+query).want(200, ""))
			if len(got.Data) != 0 || got.Next != nil {
				t.Errorf("%s of a match that runs: got %d rows and the cursor %v, want neither", query, len(got.Data), got.Next)
			}
		}
		w.goOn(list[0], 1000)
		if got := w.matchIDs("bot=" + bot); len(got) != len(list) {
			t.Errorf("it is over: got %v, want it", got)
		}
	})
}

func TestBotsAndTournamentsAreFoundByAPartOfTheirNames(t *testing.T) {
	onOne(t, func(w *world) {
		bot := w.bot(owner)
		w.bot(other)
		part := strings.ToUpper(bot.Name[2:])
		if ids, _ := walk(w, anon, "/v1/bots?name="+queryEscape(part), func(b wire.Bot) string { return b.ID }); strings.Join(ids, " ") != bot.ID {
			t.Errorf("bots with %q: got %v, want %s", part, ids, bot.ID)
		}
		cup := w.cup(func(c *tournament.Tournament) { c.Name = `Été 100 %_\ Cup` })
		w.cup(func(*tournament.Tournament) {})
		for _, part := range []string{"Été 100", " cUP", "100 %_", `_\ `, "CUP"} {
			ids, _ := walk(w, anon, "/v1/tournaments?name="+queryEscape(part), func(c wire.Tournament) string { return c.ID })
			if len(ids) == 0 || ids[len(ids)-1] != cup.ID || part != "CUP" && len(ids) != 1 {
				t.Errorf("tournaments with %q: got %v, want %s", part, ids, cup.ID)
			}
		}
		for _, list := range []string{"bots", "tournaments"} {
			for _, odd := range []string{"%", "_", `\`, "'", `"; DROP TABLE bots; --`, strings.Repeat("x", 500), "\u202e", "🐭"} {
				if list == "tournaments" && strings.Contains(cup.Name, odd) {
					continue
				}
				if ids, _ := walk(w, anon, "/v1/"+list+"?name="+queryEscape(odd), func(x struct{ ID string }) string { return x.ID }); len(ids) != 0 {
					t.Errorf("%s with %+q: got %v, want none", list, odd, ids)
				}
			}
			w.get(anon, "/v1/"+list+"?name=%00").want(400, "bad_query").place("?name")
		}
	})
}

func TestAListOnAPageNarrowsGoesOnAndSaysWhenItFindsNothing(t *testing.T) {
	onOne(t, func(w *world) {
		cup, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config, c.Cycles = "toy", json.RawMessage(`{"steps":5}`), 2 }, owner, other)
		secret, masked := w.started(func(*tournament.Tournament) {}, owner, other)
		w.series(func(*schedule.Schedule) {})
		hidden := masked[0].Seats[0].BotName
		page := func(path string) string { return string(w.get(anon, path).want(200, "").body) }
		for path, want := range map[string]string{
			"/tournaments?q=" + cup.Name + "&game=&status=":             cup.ID,
			"/tournaments?status=running&limit=1":                       secret.ID,
			"/matches?game=toy&status=queued":                           list[0].ID,
			"/matches?bot=" + strings.ToUpper(list[0].Seats[0].BotName): list[0].ID,
			"/bots?q=" + hidden:                                         masked[0].Seats[0].BotID,
			"/schedules?game=masks":                                     "cup 1<",
			"/schedules?q=UP+{NUM":                                      "cup 1<",
		} {
			must.Say(t, page(path), want)
		}
		must.Say(t, page("/matches?bot="+hidden), "not", masked[0].ID)
		if body := page("/matches"); strings.Contains(body, hidden) || !strings.Contains(body, masked[0].ID) {
			t.Error("the list of matches names the bots of hidden teams, or leaves their match out")
		}
		_, rest, more := strings.Cut(page("/matches?game=toy&limit=1"), `rel="next" href="`)
		next, _, _ := strings.Cut(rest, `"`)
		if body := page(strings.ReplaceAll(next, "&amp;", "&")); !more || !strings.Contains(body, list[0].ID) || strings.Contains(body, list[1].ID) {
			t.Errorf("the next page of %q is not the older match", next)
		}
		w.play(list[0], 100)
		found, other := list[0].Seats[0].BotName, list[0].Seats[1].BotName
		if body := page("/ladders/toy?q=" + strings.ToUpper(found)); !strings.Contains(body, ">"+found+"<") || strings.Contains(body, ">"+other+"<") {
			t.Errorf("the ladder does not show %s alone", found)
		}
		for _, odd := range []string{"no such thing", "%", "_", `\`, "'", `"><script>`, "\x00", "\xff", "\u202e", strings.Repeat("x", 500)} {
			for _, field := range []string{"tournaments?q=", "bots?q=", "matches?bot=", "schedules?q=", "ladders/toy?q="} {
				body := page("/" + field + queryEscape(odd))
				if !strings.Contains(body, `class="empty"`) || strings.Contains(body, "<script>") {
					t.Errorf("%s%q: does not say that there is nothing", field, odd)
				}
			}
		}
		w.get(anon, "/matches?game=chess").want(400, "bad_query").place("?game")
	})
}
