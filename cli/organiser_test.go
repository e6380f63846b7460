package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/internal/must"
)

// organising is a platform with an organiser who is logged in here, and has bots there: two and more.
func organising(t *testing.T, more ...string) {
	t.Helper()
	settingsIn(t)
	t.Setenv("TZ", "UTC")
	db := migrated(t)
	url := serving(t, db)
	told(t, told(t, "", "admin", "token", "oda", "--role", "organiser", "--database", db), "login", url)
	for _, name := range append([]string{"one", "two"}, more...) {
		told(t, "", "bot", "create", name, random(t, 1).URL+"/")
	}
}

// An organiser's path from nothing to the standings, by commands alone.
func TestAnOrganiserRunsACupByCommands(t *testing.T) {
	organising(t)
	cup := t.TempDir() + "/cup.toml"
	must.OK(t, os.WriteFile(cup, []byte(strings.Join([]string{
		`game = "molehill"`, `name = "Cup"`, `format = "single_elimination"`, `capacity = 2`, `rated = false`, `entries_per_owner = 2`, `starts = "in 2h"`, `limit = "5s"`,
		`[config]`, `rods = 6`, `[config.discs]`, `black = 4`, `orange = 2`,
	}, "\n")), 0o600))
	create := []string{"tournament", "create", "--file", cup}
	begin := []row{
		{[]string{"tournament", "list"}, ""},
		{append(create, "--dry-run", "--json"), `"rounds":2`},
		{[]string{"tournament", "list"}, ""},
		{append(create, "--yes"), "Cup "},
		{append(create, "--name", "Other", "--capacity", "4", "--json"), `"capacity":4`},
		{[]string{"tournament", "list", "--mine", "--status", "scheduled"}, "| Other"},
		{[]string{"tournament", "show", "cup", "--json"}, `"entries":[]`},
	}
	tells(t, begin)
	_, id, _ := strings.Cut(told(t, "", "tournament", "show", "cup", "--json"), `"id":"`)
	id, _, _ = strings.Cut(id, `"`)
	tells(t, []row{
		{[]string{"bot", "enter", "one", "cup"}, "one is entered"},
		{[]string{"tournament", "withdraw", "cup", "One"}, "one has left Cup"},
		{[]string{"bot", "enter", "one", id}, "one is entered"},
		{[]string{"bot", "enter", "two", id}, "two is entered"},
		{[]string{"tournament", "show", id}, "2 of 2 entries\n  one"},
		{[]string{"tournament", "show", strings.ToUpper(id)}, "2 of 2 entries\n  one"},
		{[]string{"tournament", "start", "cup"}, "Cup is running"},
		{[]string{"tournament", "watch", "cup"}, "  finished\n"},
		{[]string{"tournament", "standings", "cup"}, "| two"},
		{[]string{"tournament", "bracket", "cup"}, "round 1\n  final: "},
		{[]string{"tournament", "bracket", "cup", "--json"}, `"round":1`},
		{[]string{"tournament", "export", "cup"}, "rank,"},
		{[]string{"tournament", "export", "cup", "--table", "matches", "--format", "ndjson"}, `{"`},
		{[]string{"tournament", "export", "cup", "--as-file"}, "\nrods = 6\n"},
		{[]string{"tournament", "cancel", "other", "--reason", "rain"}, "Other is cancelled, rain"},
		{[]string{"schedule", "create", "molehill", "--every", "day 04:00", "--name", "Night {number}", "--invite-only", "--yes"}, "invite code"},
		{[]string{"schedule", "list"}, "| Night {number}"},
		{[]string{"schedule", "edit", "night {number}", "--capacity", "8", "--every", "weekday 05:00"}, "starts Monday to Friday at 05:00 (0 5 * * MON-FRI, UTC)"},
		{[]string{"schedule", "show", "Night {number}"}, "at most 8 entries"},
		{[]string{"schedule", "pause", "night {number}"}, "is paused"},
		{[]string{"schedule", "resume", "night {number}"}, "is active"},
		{[]string{"schedule", "cancel", "night {number}"}, "is cancelled"},
		{[]string{"ladder", "show", "Molehill"}, ""},
		{[]string{"__complete", "tournament", "show", "cu"}, "Cup\tfinished"},
		{[]string{"__complete", "tournament", "withdraw", "cup", ""}, "two"},
	})
	for variant, want := range map[string]string{
		"tak":  `--variant: "tak": wants one of base, plot, targeting, blind, full, talk`,
		"talk": "you are organiser here, and this needs the role admin",
	} {
		if _, _, errs := call("", "ladder", "create", "demol-talk", "demol", "--variant", variant); !strings.Contains(errs, want) {
			t.Errorf("a ladder of the variant %s: got %q, want %q", variant, errs, want)
		}
	}
}

func TestAnOrganiserSeedsAndPairsByHandAndCountsASeries(t *testing.T) {
	organising(t, "three", "four", "five")
	told(t, "", "tournament", "create", "molehill", "--name", "Cup", "--starts", "in 2h", "--capacity", "8", "--rated=false", "--file", fileOf(t, smallMolehill), "--yes")
	told(t, "", "schedule", "create", "molehill", "--every", "day 04:00", "--name", "Night {number}", "--yes")
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		told(t, "", "bot", "enter", name, "cup")
	}
	seeds := filepath.Join(t.TempDir(), "seeds.txt")
	writes(t, seeds, "five # won last time\n\nfour\nThree\ntwo\none\n")
	tells(t, []row{
		{[]string{"tournament", "seed", "cup", "--order", "one,Two"}, "2 of 5 entries seeded by hand\n  1  one\n  2  two\n"},
		{[]string{"tournament", "seed", "cup", "--clear"}, "0 of 5 entries"},
		{[]string{"tournament", "seed", "cup", "--file", seeds}, "5 of 5 entries seeded by hand\n  1  five\n"},
		{[]string{"tournament", "edit", "cup", "--rules", "No **moles**.", "--prizes", ""}, "Cup is changed"},
		{[]string{"tournament", "show", "cup", "--json"}, `"rules":"No **moles**."`},
		{[]string{"tournament", "start", "cup", "--paused"}, "Cup is paused"},
	})
	for end := time.Now().Add(time.Minute); told(t, "", "tournament", "bracket", "cup") == ""; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no round is made of a tournament that has started paused")
		}
	}
	tells(t, []row{
		{[]string{"tournament", "bracket", "cup"}, " (open)\n  bye: one\n"},
		{[]string{"tournament", "pair", "cup", "--swap", "one,two", "--swap", "five,four", "--reason", "they ask"}, "they ask\n  bye: two\n"},
		{[]string{"tournament", "bracket", "cup"}, "they ask\n  bye: two\n"},
		{[]string{"tournament", "pair", "cup", "--round", "1", "--table", "one,two", "--table", "four,three", "--bye", "five", "--reason", "again"}, "  one – two (open)\n"},
		{[]string{"tournament", "withdraw", "cup", "five"}, ""},
		{[]string{"tournament", "pair", "cup", "--swap", "one,four", "--reason", "five has left"}, "  four – two (open)\n"},
		{[]string{"tournament", "pair", "cup", "--table", "one,two", "--table", "four,three", "--reason", "as it was"}, "  one – two (open)\n"},
	})
	spoiled := ""
	for _, line := range strings.Split(told(t, "", "tournament", "export", "cup", "--table", "matches"), "\n") {
		if strings.Contains(line, ",queued,") {
			spoiled = regexp.MustCompile("[0-9a-f-]{36}").FindString(line)
		}
	}
	for _, w := range []row{ // what the platform refuses is told at the flags, too
		{[]string{"tournament", "pair", "cup", "--table", "one,two", "--reason", "x"}, "--bye: in the round, and neither at a table nor here: four, three"},
		{[]string{"tournament", "pair", "cup", "--swap", "one,two", "--reason", "x\ny"}, "--reason: wants one line"},
		{[]string{"tournament", "void", spoiled, "--reason", "x\ny"}, "--reason: wants one line"},
		{[]string{"tournament", "cancel", "cup", "--reason", "x\ny"}, "--reason: wants one line"},
		{[]string{"tournament", "organisers", "cup", "--set", "nobody"}, "--set at 0: \"nobody\" is no organiser"},
	} {
		if code, _, errs := call("", w.args...); code != 2 || !strings.HasPrefix(errs, "molerun: nothing was done:\n  "+w.want) {
			t.Errorf("%v: exit code %d, %q; want 2 and %q", w.args, code, errs, w.want)
		}
	}
	tells(t, []row{
		{[]string{"series", "create", "Autumn", "--tournament", "cup", "--by", "rank", "--rank-points", "10,5.5"}, "Autumn "},
		{[]string{"series", "create", "Nights", "--schedule", "night {number}", "--best", "3", "--json"}, `"best":3`},
		{[]string{"series", "list", "--mine"}, "| Nights"},
		{[]string{"series", "show", "autumn"}, "by rank (10, 5.5)\n1 tournament\nnone of them has finished"},
		{[]string{"series", "edit", "autumn", "--name", "Winter", "--by", "points", "--best", "2"}, "by points, the best 2 of a bot"},
		{[]string{"schedule", "show", "night {number}"}, "counted in the series Nights "},
		{[]string{"series", "show", "nights"}, "the tournaments of the schedule Night {number} "},
		{[]string{"tournament", "void", spoiled, "--reason", "our network was down"}, spoiled + " is void\n"},
		{[]string{"tournament", "resume", "cup"}, "Cup is running"},
		{[]string{"tournament", "watch", "cup"}, "  finished\n"},
		{[]string{"series", "show", "winter"}, "| four"},
		{[]string{"series", "export", "winter"}, "rank,bot_id,bot,points"},
		{[]string{"__complete", "series", "show", "w"}, "Winter"},
		{[]string{"__complete", "bot", "withdraw", "t"}, "three"},
		{[]string{"__complete", "bot", "enter", "one", "c"}, "Cup\tfinished"},
		{[]string{"series", "delete", "nights"}, "Nights is deleted"},
		{[]string{"bot", "challenge", "one", "two", "--game", "molehill", "--config", `{"rods":6,"discs":{"black":4,"orange":2}}`}, " molehill queued: one, two\n"},
		{[]string{"bot", "takes-challenges", "one", "true"}, "one takes challenges"},
	})
	hidden := told(t, "", "bot", "challenge", "one", "two", "three", "four", "five", "--game", "demol")
	if !regexp.MustCompile(`^\S+ demol queued: [a-z]+-[a-z]+(, [a-z]+-[a-z]+){4}\n$`).MatchString(hidden) {
		t.Errorf("a challenge to a game with hidden teams prints %q, want what its seats are called", hidden)
	}
	for _, w := range []struct {
		args   []string
		places []string
	}{
		{[]string{"tournament", "seed", "cup", "--order", "one,nobody,ONE"}, []string{`seeds: "nobody"`, `seeds: "ONE"`}},
		{[]string{"tournament", "void", spoiled}, []string{"--reason"}},
		{[]string{"tournament", "pair", "cup", "--round", "9"}, []string{"--reason", "--swap", "--round"}},
		{[]string{"tournament", "pair", "cup", "--round", "1", "--swap", "one,nobody", "--swap", "two", "--reason", "x"}, []string{`--swap: "nobody"`, `--swap: "two"`}},
		{[]string{"series", "create", "\t", "--tournament", "cup", "--tournament", "nothing", "--by", "luck", "--best", "-1"}, []string{"NAME", "--tournament at 1", "--by", "--best"}},
		{[]string{"series", "create", "X", "--schedule", "nothing", "--by", "rank", "--rank-points", "5,many"}, []string{"--schedule", "--rank-points at 1"}},
		{[]string{"series", "edit", "winter", "--by", "rank", "--rank-points", "5,6"}, []string{"--rank-points at 1"}},
	} {
		code, out, errs := call("", w.args...)
		if code != 2 || out != "" {
			t.Errorf("%v: exit code %d, prints %q, want 2 and nothing done", w.args, code, out)
		}
		if lines := strings.Count(errs, "\n  "); lines != len(w.places) {
			t.Errorf("%v: %d places are told, want %v:\n%s", w.args, lines, w.places, errs)
		}
		for _, place := range w.places {
			if !strings.Contains(errs, "\n  "+place+": ") {
				t.Errorf("%v: %s is not told:\n%s", w.args, place, errs)
			}
		}
	}
}

func TestWhoWaitsAndWhoChecksInByCommands(t *testing.T) {
	organising(t, "three")
	for name, checkIn := range map[string]string{"Now": "20m", "Later": "5m"} {
		told(t, "", "tournament", "create", "molehill", "--name", name, "--starts", "in 20m", "--capacity", "2", "--rated=false", "--file", fileOf(t, "waiting_list = true", "check_in = '"+checkIn+"'"), "--yes")
	}
	tells(t, []row{
		{[]string{"bot", "enter", "one", "now"}, "one is entered"},
		{[]string{"bot", "enter", "two", "now"}, "two is entered"},
		{[]string{"bot", "enter", "three", "now"}, "three waits for a place"},
		{[]string{"tournament", "show", "now"}, "2 of 2 entries\n  one, checked in\n  two, checked in\n  three, waits for a place, checked in\n"},
		{[]string{"bot", "withdraw", "one", "now"}, "one is withdrawn"},
		{[]string{"tournament", "show", "now"}, "\n  three, checked in\n"},
		{[]string{"bot", "checkin", "three", "now"}, "three is checked in"},
		{[]string{"tournament", "checkin", "now", "two"}, "two is checked in"},
		{[]string{"tournament", "export", "now", "--as-file"}, "waiting_list = true"},
		{[]string{"tournament", "export", "now", "--as-file"}, "check_in = '20m0s'"},
		{[]string{"bot", "enter", "one", "later"}, "one is entered"},
		{[]string{"schedule", "create", "molehill", "--every", "day 04:00", "--name", "Night {number}", "--file", fileOf(t, "check_in = '1h'"), "--yes"}, "Night {number} "},
		{[]string{"schedule", "edit", "night {number}", "--file", fileOf(t, "waiting_list = true"), "--json"}, `"waiting_list":true,"check_in_ms":3600000`},
		{[]string{"schedule", "edit", "night {number}", "--file", fileOf(t, "check_in = 0"), "--json"}, `"waiting_list":true,"clock`},
		{[]string{"schedule", "edit", "night {number}", "--file", fileOf(t, `tie_breaks = ["wins", "koya"]`), "--json"}, `"format_options":{"tie_breaks":["wins","koya"]}`},
		{[]string{"schedule", "edit", "night {number}", "--file", fileOf(t, "tie_breaks = []"), "--json"}, `"waiting_list":true,"clock`},
	})
	for _, name := range []string{"Night", "Night {day}"} {
		fails(t, 2, []string{"schedule", "edit", "night {number}", "--name", name}, "\n  --name: ")
	}
	fails(t, 1, []string{"bot", "checkin", "one", "later"}, "check-in opens at ")
}

// smallMolehill is the key of a file that makes matches of Mole Hill short.
const smallMolehill = "config = {rods = 6, discs = {black = 4, orange = 2}}"

// fileOf returns a file with some lines.
func fileOf(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "said.toml")
	must.OK(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600))
	return name
}

// row is a command line and a part of what it prints.
type row struct {
	args []string
	want string
}

func tells(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		if out := told(t, "", r.args...); !strings.Contains(out, r.want) {
			t.Errorf("%v prints %q, want …%s…", r.args, out, r.want)
		}
	}
}

// What one organiser is told, in one world: the first makes nothing, and no two make events of one name.
func TestAnOrganiserIsToldWhatIsWrongAndWhatHolds(t *testing.T) {
	organising(t)
	t.Run("everything wrong is told at its place", everythingWrongIsToldAtItsPlace)
	t.Run("written to a file and made again", isWrittenToAFileAndMadeAgain)
	t.Run("the end of registration", theEndOfRegistrationMovesWithTheStart)
	t.Run("JSON", everyLineWithJSONIsJSON)
	t.Run("edits", anEditRefusesWhatItWouldIgnore)
	t.Run("long to think", whoHasLongToThinkIsGreetedByItsHelloAlone)
}

// A file that a tournament was written to makes the same again.
func isWrittenToAFileAndMadeAgain(t *testing.T) {
	told(t, "", "tournament", "create", "cia", "--name", "First", "--starts", "tomorrow 20:00", "--format", "arena", "--table-size", "4", "--lasts", "90m", "--yes", "--file",
		fileOf(t, "late_entries = true", "max_faults = 7", "closes_before = '5m'", "tie_breaks = ['wins', 'game_score']", "description = 'For **all**.'", "config.top_secret = true"))
	first := told(t, "", "tournament", "export", "first", "--as-file")
	file := filepath.Join(t.TempDir(), "cup.toml")
	says(t, first, "For **all**.")
	writes(t, file, first)
	told(t, "", "tournament", "create", "--file", file, "--starts", "tomorrow 20:00", "--name", "Second", "--yes")
	second := told(t, "", "tournament", "export", "second", "--as-file")
	if want := strings.Replace(first, "First", "Second", 1); second != want {
		t.Errorf("made again it is\n%s\nwant\n%s", second, want)
	}
}

// What an edit cannot change it refuses, each at its place, and says what can be done.
func anEditRefusesWhatItWouldIgnore(t *testing.T) {
	told(t, "", "tournament", "create", "molehill", "--name", "Edited", "--starts", "in 2h", "--capacity", "8", "--yes")
	told(t, "", "schedule", "create", "molehill", "--name", "Eve {number}", "--every", "day 04:00", "--yes")
	told(t, "", "schedule", "create", "molehill", "--name", "Once", "--starts", "tomorrow 20:00", "--yes")
	otherGame := fileOf(t, `game = "cia"`)
	for _, row := range []struct {
		args []string
		want string
	}{
		{[]string{"tournament", "edit", "edited", "--variant", "nosuch"}, `--variant: "nosuch": wants one of base, `},
		{[]string{"tournament", "edit", "edited", "--variant", "base", "--file", fileOf(t, smallMolehill)}, "--variant: does not go with config"},
		{[]string{"tournament", "edit", "edited", "--file", otherGame}, "game: does not change"},
		{[]string{"schedule", "edit", "eve {number}", "--file", otherGame}, "game: does not change"},
		{[]string{"tournament", "edit", "edited", "--zone", "Europe/Rome"}, "--zone: changes nothing alone"},
		{[]string{"schedule", "edit", "once", "--zone", "Europe/Rome"}, "--zone: changes nothing alone"},
		{[]string{"schedule", "edit", "eve {number}", "--file", fileOf(t, `opens_before = "0s"`)}, "opens_before: "},
		{[]string{"schedule", "edit", "eve {number}", "--variant", "nosuch"}, `--variant: "nosuch": wants one of base, `},
	} {
		fails(t, 2, row.args, "\n  "+row.want)
	}
	tells(t, []row{
		{[]string{"tournament", "edit", "edited", "--variant", "random_flowers", "--rated=false", "--file", fileOf(t, `game = "molehill"`), "--json"}, `"config":{`},
		{[]string{"tournament", "edit", "edited", "--zone", "Europe/Rome", "--starts", "in 3h", "--file", fileOf(t, `opens_before = "0s"`)}, "Edited is changed"},
		{[]string{"schedule", "edit", "eve {number}", "--zone", "Europe/Rome"}, "(0 4 * * *, Europe/Rome)"},
	})
	for _, zone := range []string{":Europe/Amsterdam", "CET-1CEST", "", "Local"} { // what needs no zone, on any machine
		t.Setenv("TZ", zone)
		told(t, "", "tournament", "edit", "edited", "--capacity", "9")
		told(t, "", "tournament", "create", "molehill", "--starts", time.Now().AddDate(0, 0, 3).Format(time.RFC3339), "--dry-run", "--file", fileOf(t, `opens_before = "24h"`))
	}
}

// Registration ends as long before a start that is moved as before the old one, also where the new one is earlier.
func theEndOfRegistrationMovesWithTheStart(t *testing.T) {
	told(t, "", "tournament", "create", "molehill", "--name", "Moved", "--starts", "in 5h", "--file", fileOf(t, "closes_before = '10m'"), "--yes")
	for _, starts := range []string{"in 2h", "in 9h"} {
		told(t, "", "tournament", "edit", "moved", "--starts", starts)
		var cup struct {
			ClosesAt time.Time `json:"closes_at"`
			StartsAt time.Time `json:"starts_at"`
		}
		must.OK(t, json.Unmarshal([]byte(told(t, "", "tournament", "show", "moved", "--json")), &cup))
		if before := cup.StartsAt.Sub(cup.ClosesAt); before != 10*time.Minute {
			t.Errorf("a start %s: registration ends %v before it, want 10m", starts, before)
		}
	}
}

// With --json a command prints JSON and nothing else, also where the platform answers nothing.
func everyLineWithJSONIsJSON(t *testing.T) {
	said := func(args ...string) string {
		out := told(t, "", append(args, "--json")...)
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%v prints %q", args, line)
			}
		}
		return out
	}
	said("tournament", "create", "molehill", "--name", "Cup", "--starts", "in 2h", "--capacity", "8")
	said("schedule", "create", "molehill", "--name", "Night {number}", "--every", "day 04:00")
	said("series", "create", "Nights", "--schedule", "night {number}")
	said("bot", "enter", "one", "cup")
	var link struct{ ID string }
	must.OK(t, json.Unmarshal([]byte(said("class", "create", "--tournament", "cup")), &link))
	tells(t, []row{{[]string{"class", "show", link.ID}, link.ID + ": 0 of 30 accounts made, until "}})
	tells(t, []row{{[]string{"class", "show", link.ID}, "\n  for Cup\n"}})
	said("class", "show", link.ID)
	says(t, said("class", "end", link.ID), `"ended_at":"`)
	tells(t, []row{{[]string{"class", "show", link.ID}, link.ID + ": 0 of 30 accounts made, ended "}})
	fails(t, 2, []string{"class", "create", "--tournament", "cup", "--lasts", "0s"}, "--lasts: ")
	for _, line := range []string{
		"tournament list", "tournament show cup", "tournament edit cup --capacity 9", "tournament organisers cup", "tournament seed cup --order one",
		"tournament standings cup", "tournament bracket cup", "tournament withdraw cup one", "tournament cancel cup", "tournament watch cup",
		"schedule list", "schedule show night_{number}", "schedule organisers night_{number}", "schedule edit night_{number} --capacity 9", "schedule pause night_{number}",
		"schedule resume night_{number}", "schedule cancel night_{number}", "series list", "series show nights", "series edit nights --best 2", "series organisers nights",
		"series delete nights", "ladder list", "ladder show molehill", "class list",
	} {
		words := strings.Fields(line)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_{", " {")
		}
		said(words...)
	}
	for _, cmd := range []string{"standings", "bracket"} {
		if _, out, errs := call("", "tournament", cmd, "cup"); out != "" || !strings.HasPrefix(errs, "next: molerun tournament show ") {
			t.Errorf("%s of a cancelled tournament: %q, %q", cmd, out, errs)
		}
	}
}

func everythingWrongIsToldAtItsPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cup.toml")
	wrongs := []struct {
		args   string // with _ for a space inside a word
		file   string
		places []string
	}{
		{"tournament create", "", []string{"GAME", "--starts"}},
		{"tournament create chess", "", []string{"GAME", "--starts"}},
		{"tournament create molehill --starts soon", "", []string{"--starts"}},
		{"tournament create molehill --starts 2020-01-01_20:00", "", []string{"--starts"}},
		{"tournament create molehill --starts 2999-01-01_20:00 --zone Mars", "", []string{"--starts", "--zone"}},
		{"tournament create molehill --starts 20:00 --format swis --cycles 0", "", []string{"--format", "--cycles"}},
		{"tournament create molehill --starts 20:00 --capacity many --table-size two", "", []string{"--capacity", "--table-size"}},
		{"tournament create molehill --starts 20:00 --capacity 1 --table-size 3", "", []string{"--capacity", "--table-size"}},
		{"tournament create molehill --starts 20:00 --rated=perhaps --file", "duplicate = 2", []string{"--rated", "duplicate"}},
		{"tournament create molehill --starts 20:00 --rounds 5 --format groups --file", "best_of = 3", []string{"--rounds", "best_of"}},
		{"tournament create molehill --starts 20:00 --format arena --lasts 1ms --group-size 4", "", []string{"--lasts", "--group-size"}},
		{"tournament create molehill --starts 20:00 --format sprt --rated --file", "alpha = 2\nelo0 = \"high\"", []string{"--rated", "alpha", "elo0"}},
		{"tournament create molehill --starts in_1h --format sprt --file", "waiting_list = true\ncheck_in = \"2h\"", []string{"waiting_list", "check_in"}},
		{"tournament create demol --starts 20:00 --format sprt", "", []string{"--format"}},
		{"tournament create molehill --starts 20:00 --limit 1ms --bank 1h --file", "increment = \"fast\"", []string{"--limit", "--bank", "increment"}},
		{"tournament create molehill --starts 20:00 --file", "config = []\nmax_faults = 0", []string{"config", "max_faults"}},
		{"tournament create molehill --starts 20:00 --cycles 101 --file", "config.laps = 1", []string{"config at laps", "--cycles"}},
		{"tournament create molehill --starts 20:00 --variant grand --file", "entries_per_owner = -1", []string{"--variant", "entries_per_owner"}},
		{"tournament create demol --starts 20:00 --rated --name _x --file", "entries_per_owner = 2\ncloses_before = \"400h\"", []string{"entries_per_owner", "closes_before", "--name"}},
		{"tournament create --file", "game = \"mole\"\ncolour = \"red\"\ncapacity = [8]\nformat = \"cup\"", []string{"colour", "capacity", "--format", "--starts"}},
		{"tournament create --starts in_2h --file", "game = \"molehill\"\nname = \"Friday {number}\"", []string{"--name"}},
		{"tournament create --starts in_2h --file", "game = \"molehill\"\nname = \"Cup of {date}\"\nevery = \"friday 20:00\"", []string{"--name", "every"}},
		{"schedule create --every day_20:00 --file", "game = \"molehill\"\nname = \"Friday Cup\"", []string{"--name"}},
		{"tournament create molehill --starts 20:00 --variant random_flowers --file", "config.rods = 24", []string{"--variant"}},
		{"schedule create molehill --every day_20:00 --name Night_{number} --file", "opens_before = \"0s\"", []string{"opens_before"}},
		{"schedule create", "", []string{"GAME", "--every"}},
		{"schedule create molehill --every never --name {day} --file", "opens_before = \"1s\"", []string{"--every", "opens_before", "--name"}},
		{"schedule create molehill --every day_20:00 --starts 20:00 --file", "closes_before = \"48h\"", []string{"--starts", "closes_before"}},
		{"schedule create molehill --every 99_20_*_*_* --cycles -1", "", []string{"--every", "--cycles"}},
	}
	for _, w := range wrongs {
		args := strings.Fields(w.args)
		for i, a := range args {
			if !strings.HasPrefix(a, "{") {
				args[i] = strings.ReplaceAll(a, "_", " ")
			}
		}
		if w.file != "" {
			writes(t, file, w.file)
			args = append(args, file)
		}
		code, out, errs := call("", append(args, "--yes")...)
		if code != 2 || out != "" {
			t.Errorf("%v: exit code %d, prints %q, want 2 and nothing made", args, code, out)
		}
		lines := strings.Split(errs, "\n  ")[1:]
		if len(lines) != len(w.places) {
			t.Errorf("%v: %d places are told, want %v:\n%s", args, len(lines), w.places, errs)
		}
		for _, place := range w.places {
			if !strings.Contains(errs, "\n  "+place+": ") && !strings.Contains(errs, file+": "+place+": ") {
				t.Errorf("%v: %s is not told:\n%s", args, place, errs)
			}
		}
	}
	fails(t, 2, []string{"tournament", "create", "molehill", "--starts", "20:00", "--max-faults", "3"}, "write max_faults = … into FILE")
	if _, _, errs := call("", "tournament", "create", "chess", "--starts", "20:00"); !strings.Contains(errs, "GAME: names no game; there are ") || strings.Contains(errs, "/v1/") {
		t.Errorf("a game that there is not: %q; want the games that there are, and no path of the API", errs)
	}
	if out := told(t, "", "tournament", "list") + told(t, "", "schedule", "list"); out != "" {
		t.Errorf("something was made:\n%s", out)
	}
}

// A bot that is entered where it may think for longer than a try lasts is greeted by its hello alone: it was paused before its first match.
// Any other has to decide something.
func whoHasLongToThinkIsGreetedByItsHelloAlone(t *testing.T) {
	cannot := func(context.Context, *protocol.Turn) (protocol.Answer, error) {
		return protocol.Answer{}, errors.New("not before tomorrow")
	}
	for limit, code := range map[string]int{"1s": 1, "2m": 0} {
		name := "needs-" + limit
		told(t, "", "bot", "create", name, bot(t, kit.Bot{Name: name, Games: map[string]kit.Decide{"molehill": cannot}}).URL)
		told(t, "", "tournament", "create", "molehill", "--format", "round_robin", "--name", "cup "+limit, "--limit", limit, "--capacity", "4", "--starts", "in 2h", "--yes")
		told(t, "", "bot", "enter", name, "cup "+limit)
		if got, out, errs := call("", "bot", "check", name); got != code {
			t.Errorf("a check of a bot that has %s for a decision: exit code %d, want %d: %s%s", limit, got, code, out, errs)
		}
	}
}
