package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

func TestWrongCommandLinesAreRefusedWithTheNextCommand(t *testing.T) {
	for _, row := range []struct {
		name string
		args []string
		part string
	}{
		{"unknown command", []string{"dance"}, "dance"},
		{"unknown flag", []string{"demo", "--loud"}, "--loud"},
		{"flag without sense", []string{"demo", "--seed", "x"}, "seed"},
		{"unknown game", []string{"rules", "chess"}, "demol, mole, molehill"},
		{"game missing", []string{"rules"}, "GAME is missing"},
		{"unknown language", []string{"init", "cobol"}, "python, javascript, typescript, go, rust, java, csharp, llm"},
		{"no bot to check", []string{"check"}, "URL is missing"},
		{"a check elsewhere", []string{"check", "https://bot.example.org/"}, "--allow-public"},
		{"a check in a network", []string{"check", "http://10.0.0.1:8000/", "--allow-public"}, "on the machine of the bot"},
		{"a check of no game", []string{"check", "http://127.0.0.1:8000/", "--games", "chess"}, "chess"},
		{"a check with no secret", []string{"check", "http://127.0.0.1:8000/", "--secret", "hush"}, "whsec_"},
		{"no platform", []string{"login"}, "URL is missing"},
		{"a bot without a URL", []string{"bot", "create", "x"}, "URL is missing"},
		{"connect to nothing", []string{"connect", "fox"}, "--to"},
		{"connect of no name", []string{"connect", "a/b", "--to", "http://127.0.0.1:8000"}, "letters"},
		{"connect to others", []string{"connect", "fox", "--to", "https://bot.example.org/"}, "--allow-public"},
		{"connect by a name", []string{"connect", "fox", "--to", "http://box:8000"}, "--allow-public"},
		{"connect of nothing at once", []string{"connect", "fox", "--to", "http://127.0.0.1:8000", "--at-once", "0"}, "--at-once"},
		{"connect in the open", []string{"connect", "fox", "--to", "http://127.0.0.1:8000", "--platform", "http://molerun.example.org"}, "https://"},
		{"a token that ends at no time", []string{"token", "create", "x", "--expires", "soon"}, "--expires"},
		{"export of no sense", []string{"export", "matches", "--since", "soon", "--game", "chess", "--result", "tie"}, "--since: \"soon\" is neither"},
		{"export of nobody's results", []string{"export", "matches", "--since", "2026-11-22", "--result", "win"}, "name it with --bot"},
		{"export of no time", []string{"export", "records", "fox", "--since", "2030-01-01", "--until", "2020-01-01"}, "--until: nothing can be"},
		{"export of no moment", []string{"export", "matches", "--since", "2030-01-01", "--until", "2030-01-01"}, "--until: nothing can be"},
		{"audit of no time", []string{"admin", "audit", "--since", "2030-01-01", "--until", "2020-01-01"}, "--until: nothing can be"},
		{"export from nowhere", []string{"export", "records", "fox", "--platform", "somewhere"}, "write https://somewhere"},
		{"no bot command", []string{"bot", "dance"}, "dance"},
		{"unknown house bot", []string{"house", "genius"}, "random, greedy"},
		{"no file", []string{"replay", "verify"}, "FILE is missing"},
		{"role", []string{"admin", "token", "ada", "--role", "king"}, "king"},
		{"backup to nowhere", []string{"admin", "backup"}, "FILE is missing"},
		{"copy from nowhere", []string{"admin", "copy", "--to", "sqlite:x.db"}, "--from and --to"},
		{"network", []string{"serve", "--allow-private-bots=here"}, "here"},
		{"log level", []string{"work", "--log-level", "loud"}, "loud"},
		{"play without a bot", []string{"play", "molehill"}, "at least one bot"},
		{"play of no game", []string{"play", "chess", "greedy"}, "demol, mole, molehill"},
		{"play with nobody", []string{"play", "molehill", "genius"}, "random, greedy"},
		{"play elsewhere", []string{"play", "molehill", "https://bot.example.org/"}, "--allow-public"},
		{"play at too many seats", []string{"play", "molehill", "greedy", "--seats", "3"}, "is for 2 seats"},
		{"play at no seats", []string{"play", "molehill", "greedy", "--seats", "0"}, "--seats: 0 is too little"},
		{"sprt at no seats", []string{"sprt", "molehill", "greedy", "random", "--seats", "0"}, "--seats: 0 is too little"},
		{"tune at no seats", []string{"tune", "molehill", "--cmd", "x", "--seats", "0"}, "--seats: 0 is too little"},
		{"a ladder of no seats", []string{"ladder", "create", "x", "cia", "--table", "0"}, "--table: 0 is too little"},
		{"pair no round", []string{"tournament", "pair", "x", "--round", "0"}, "--round: 0 is too little"},
		{"a link for no time", []string{"account", "browse", "--lasts", "0"}, "--lasts: 0s is too little"},
		{"a link for less than the wire tells", []string{"account", "browse", "--lasts", "500us"}, "--lasts: 500µs is too little"},
		{"a swiss of no rounds", []string{"tournament", "create", "molehill", "--rounds", "0"}, "--rounds: 0 is too little"},
		{"groups of nobody", []string{"schedule", "create", "molehill", "--group-size", "0"}, "--group-size: 0 is too little"},
		{"a pupil's link for no time", []string{"class", "login", "x", "y", "--lasts", "0s"}, "--lasts: 0s is too little"},
		{"an admin's link for no time", []string{"admin", "link", "ada", "--lasts", "0s"}, "--lasts: 0s is too little"},
		{"play of no variant", []string{"play", "molehill", "greedy", "--variant", "x"}, "base, random_flowers"},
		{"play of variant and config", []string{"play", "molehill", "greedy", "--variant", "base", "--config", "{}"}, "not both"},
		{"play with a bad config", []string{"play", "molehill", "greedy", "--config", `{"holes":1}`}, "holes"},
		{"play of no time", []string{"play", "molehill", "greedy", "--limit", "1ms"}, "--limit: 1ms is outside 10ms.."},
		{"a fork of no time", []string{"replay", "fork", "x", "--at", "1", "--limit", "0"}, "--limit: 0s is outside"},
		{"an evaluation of too much time", []string{"evaluate", "greedy", "--bank", "1000h"}, "--bank: 1000h is outside"},
		{"tune of no time", []string{"tune", "cia", "--limit", "-1s", "--bank", "-1s"}, "--bank: -1s is outside"},
		{"an evaluation of two", []string{"evaluate", "greedy", "http://127.0.0.1:8000/"}, "\"http://127.0.0.1:8000/\" is one argument too many"},
		{"an evaluation of two words", []string{"evaluate", "verfy", "card.json", "x"}, "did you mean verify?"},
		{"an evaluation into nothing", []string{"evaluate", "greedy", "--out", ""}, "--out is empty"},
		{"a bot of no name", []string{"bot", "show", ""}, "BOT is empty: molerun bot show BOT"},
		{"a record of no name", []string{"replay", "verify", "x", ""}, "FILE is empty"},
		{"a configuration in an empty file", []string{"play", "molehill", "greedy", "--config", "@" + os.DevNull}, os.DevNull + " is empty"},
		{"a configuration that is a list", []string{"play", "molehill", "greedy", "--config", "[]"}, "bad_config: config: "},
		{"a check of no games", []string{"check", "http://127.0.0.1:8000", "--games", ""}, "--games is empty"},
		{"a card checked backwards", []string{"evaluate", "verify", "card.json", "x", "--parallel", "-5"}, "--parallel: want 1 to 1024, got -5"},
		{"play with a bad secret", []string{"play", "molehill", "greedy", "--secret", "x"}, "bad_secret"},
		{"play of too much at once", []string{"play", "molehill", "greedy", "--parallel", "0"}, "--parallel"},
		{"sprt of one", []string{"sprt", "molehill", "greedy"}, "two bots"},
		{"sprt of three", []string{"sprt", "molehill", "greedy", "greedy", "greedy"}, "\"greedy\" is one argument too many"},
		{"sprt of half a pair", []string{"sprt", "molehill", "greedy", "random", "--max", "3"}, "pairs"},
		{"sprt of no sense", []string{"sprt", "molehill", "greedy", "random", "--elo0", "50"}, "bad_sprt"},
		{"fork of no step", []string{"replay", "fork", "x"}, "--at"},
		{"fork with half a decision", []string{"replay", "fork", "x", "--at", "1", "--seat", "1"}, "go together"},
		{"a step before the deal", []string{"replay", "show", "x", "--step", "-1"}, "steps count from 0, the deal"},
		{"all steps and only faults", []string{"replay", "show", "x", "--all", "--faults"}, "--all and --faults do not go together: give one of them"},
		{"one step and only faults", []string{"replay", "show", "x", "--faults", "--step", "3"}, "--step and --faults do not go together"},
		{"one step and all", []string{"replay", "show", "x", "--step", "3", "--all"}, "--step and --all do not go together"},
		{"nothing to overwrite", []string{"replay", "show", "x", "--force"}, "--force goes with --open"},
		{"a suite as JSON", []string{"replay", "redrive", ".", "--seat", "0", "--write", "--json"}, "--write and --json do not go together"},
		{"fork with nobody", []string{"replay", "fork", "x", "--at", "1", "--bot", "greedy"}, "SEAT=BOT"},
		{"fork with two in a seat", []string{"replay", "fork", "x", "--at", "1", "--bot", "0=greedy", "--bot", "1=greedy", "--bot", "00=random"}, "seat 0 is given twice"},
		{"redrive of no seat", []string{"replay", "redrive", "x", "http://127.0.0.1:8000/"}, "--seat"},
		{"redrive of no bot", []string{"replay", "redrive", "x", "--seat", "1"}, "URL is missing"},
		{"two shapes", []string{"ratings", "fit", "--json", "--csv"}, "choose one"},
		{"a database of no known kind", []string{"migrate", "--database", "mysql://user:secret@localhost/x"}, "mysql:// is neither postgres:// nor sqlite:PATH"},
		{"no workers", []string{"work", "--workers", "0"}, "at least one"},
		{"a letter missing", []string{"tournment", "list"}, "did you mean tournament?"},
		{"a letter too many, below", []string{"tournament", "lisst"}, "did you mean list?"},
		{"like nothing", []string{"tournament", "xyzzy"}, "there is no command \"xyzzy\" in molerun tournament\n"},
		{"a flag like another", []string{"play", "--game", "2"}, "did you mean --games?"},
		{"a short flag of none", []string{"play", "molehill", "greedy", "-z"}, "no flag -z"},
		{"no whole number", []string{"play", "molehill", "greedy", "--games", "ten"}, "--games: \"ten\" is not a whole number\n"},
		{"a whole number too large", []string{"play", "molehill", "greedy", "--games", "99999999999999999999"}, "is out of range"},
		{"no time", []string{"play", "molehill", "greedy", "--limit", "5"}, "--limit: \"5\" is not a time such as 1.5s or 2m\n"},
		{"no number", []string{"sprt", "molehill", "greedy", "random", "--elo0", "much"}, "is not a number"},
		{"neither true nor false", []string{"play", "molehill", "greedy", "--rotate=maybe"}, "neither true nor false"},
		{"a negative seed", []string{"play", "molehill", "greedy", "--seed", "-1"}, "whole number from 0 on"},
		{"a flag without its value", []string{"play", "molehill", "greedy", "--games"}, "--games needs a value: how many matches"},
		{"one file too many", []string{"admin", "backup", "a", "b"}, "\"b\" is one argument too many"},
		{"no address", []string{"replay", "redrive", "x"}, "URL is missing: molerun replay redrive FILE URL"},
		{"nobody to make an account for", []string{"admin", "token"}, "NAME is missing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			code, out, errs := call("", row.args...)
			if says(t, errs, row.part); code != 2 || out != "" || !strings.Contains(errs, "next: molerun") && !strings.Contains(errs, `"next":"molerun`) {
				t.Errorf("exit code %d, %q on stdout, %q; want 2, nothing, and the next command", code, out, errs)
			}
		})
	}
}

func TestWhoAsksForJSONIsToldFaultsInJSON(t *testing.T) {
	for _, row := range []struct {
		name string
		args []string
		want string
	}{
		{"a wrong command line", []string{"play", "molehill", "greedy", "--games", "x", "--json"},
			`{"event":"error","error":"--games: \"x\" is not a whole number","next":"molerun play --help","exit_code":2}`},
		{"a fault", []string{"replay", "redrive", "no-such-file", "--json", "--seat", "0", "http://127.0.0.1:8000/"},
			`{"event":"error","error":"open no-such-file: no such file or directory","exit_code":1}`},
	} {
		if _, out, errs := call("", row.args...); out != "" || errs != row.want+"\n" {
			t.Errorf("%s: got %q on stdout and %q, want %q on stderr alone", row.name, out, errs, row.want)
		}
	}
}

func TestTheVersionIsAFlagToo(t *testing.T) {
	_, command, _ := call("", "version")
	if code, out, errs := call("", "--version"); code != 0 || out != command || errs != "" {
		t.Errorf("--version: exit code %d, %q, %q; want what the command says, %q", code, out, errs, command)
	}
}

func TestAShortKeyForCursorsIsRefusedBeforeAnythingIsOpened(t *testing.T) {
	t.Setenv("MOLERUN_CURSOR_KEY", "short")
	file := filepath.Join(t.TempDir(), "x.db")
	code, _, errs := call("", "serve", "--database", "sqlite:"+file)
	if _, err := os.Stat(file); code != 2 || !strings.Contains(errs, "MOLERUN_CURSOR_KEY: 5 bytes, want at least 32") || err == nil {
		t.Errorf("exit code %d, stderr %q, database %v; want 2, the variable and how long it must be, and no database", code, errs, err)
	}
}

func TestFaultsAreToldWithExitCodeOne(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	writes(t, empty, "")
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must.OK(t, err)
	defer l.Close()
	taken := l.Addr().String()
	for _, row := range []struct {
		name string
		args []string
		part string
	}{
		{"no such record", []string{"replay", "verify", empty + "-not"}, "no such file"},
		{"no record", []string{"replay", "verify", empty}, "bad_replay"},
		{"no record to show", []string{"replay", "show", empty}, "bad_replay"},
		{"no record to review", []string{"replay", "review", empty}, "bad_replay"},
		{"a folder for a record", []string{"replay", "show", t.TempDir()}, "is a folder: name records in it, like "},
		{"a fork into no folder", []string{"replay", "fork", "testdata/golden/records/cia-base.jsonl.gz", "--at", "1", "--out", empty + "/x"}, "x.part: not a directory"},
		{"no record to fork", []string{"replay", "fork", empty, "--at", "1"}, "bad_replay"},
		{"no record to send again", []string{"replay", "redrive", empty, "--seat", "1", "http://127.0.0.1:8000/"}, "bad_replay"},
		{"database behind", []string{"serve", "--database", "sqlite:" + empty, "--listen", "127.0.0.1:0", "--metrics", ""}, "molerun migrate"},
		{"ratings of a database behind", []string{"ratings", "fit", "--database", "sqlite:" + empty}, "molerun migrate"},
		{"no such ladder", []string{"ratings", "replay", "--check", "--ladder", "chess", "--database", migrated(t)}, "ladder \"chess\""},
		{"no folder for the file", []string{"migrate", "--database", "sqlite:" + filepath.Join(t.TempDir(), "no", "m.db")}, "no such file or directory"},
		{"a token before any table", []string{"admin", "token", "ada", "--database", "sqlite:" + empty}, "run molerun migrate first"},
		{"a folder for the file", []string{"migrate", "--database", "sqlite:" + t.TempDir()}, "is a directory"},
		{"a folder for the file there", []string{"admin", "user", "list", "--database", "sqlite:" + t.TempDir()}, "is a directory"},
		{"demo in a used folder", []string{"demo", "--dir", used(t)}, "exists already"},
		{"an agent's records below a file", []string{"mcp", "--out", empty + "/x"}, empty + ": not a directory"},
		{"a first bot in a file", []string{"init", "python", "--dir", empty}, "--dir " + empty + ": not a directory; choose another folder"},
		{"a first bot below a file", []string{"init", "go", "--dir", empty + "/x"}, "--dir " + empty + "/x: not a directory; choose another folder"},
		{"a house bot at a taken port", []string{"house", "greedy", "--listen", taken}, "--listen: listen tcp " + taken + ": bind: address already in use; choose another address\n"},
		{"a platform at a taken port", []string{"serve", "--database", migrated(t), "--listen", taken, "--metrics", ""}, "--listen: listen tcp " + taken},
		{"metrics at a taken port", []string{"work", "--database", migrated(t), "--metrics", taken}, "--metrics: listen tcp " + taken},
	} {
		t.Run(row.name, func(t *testing.T) {
			code, out, errs := call("", row.args...)
			if code != 1 || !strings.Contains(out+errs, row.part) {
				t.Errorf("exit code %d, %q %q; want 1 and …%s…", code, out, errs, row.part)
			}
		})
	}
}

// onDatabase returns the commands that open the database of a platform, on one; there is another, and file is free.
func onDatabase(database, there, file string) (list [][]string) {
	for _, args := range [][]string{
		{"admin", "backup", file}, {"admin", "user", "list"}, {"admin", "audit"}, {"admin", "link", "ada"}, {"admin", "token", "ada"},
		{"admin", "doctor"}, {"admin", "copy", "--from", database, "--to", there}, {"migrate", "--status"}, {"ratings", "fit"},
		{"serve", "--listen", "127.0.0.1:0", "--metrics", ""}, {"work", "--metrics", ""},
	} {
		if args[1] != "copy" {
			args = append(args, "--database", database)
		}
		list = append(list, args)
	}
	return list
}

// A file that is no database is told by name, with what to do, whichever command meets it: those that would fill it, too.
func TestAFileThatIsNoDatabaseIsToldByEveryCommand(t *testing.T) {
	settingsIn(t)
	dir := t.TempDir()
	text, backup, there := filepath.Join(dir, "notes.db"), filepath.Join(dir, "b"), migrated(t)
	must.OK(t, os.WriteFile(text, []byte(strings.Repeat("milk, bread, rods ", 100)), 0o600))
	told(t, "", "admin", "backup", backup, "--database", there)
	commands := append(onDatabase(text, there, backup+"2"), []string{"migrate", "--database", text}, []string{"admin", "restore", backup, "--database", text},
		[]string{"admin", "copy", "--from", there, "--to", text}, []string{"serve", "--migrate", "--listen", "127.0.0.1:0", "--metrics", "", "--database", text})
	for _, args := range commands {
		code, out, errs := call("", args...)
		if want := "the file is no SQLite database, or is damaged: check the path; if " + text; code != 1 || !strings.Contains(out+errs, want) {
			t.Errorf("%v: exit code %d, %q %q; want %s", args, code, out, errs, want)
		}
		if strings.Contains(out, "start the database") {
			t.Errorf("%v: nobody starts a file: %q", args, out)
		}
	}
}

// Only what makes a platform may make its file: a slip in the path makes none, and is told.
func TestASlipInThePathOfADatabaseMakesNoFile(t *testing.T) {
	settingsIn(t)
	dir := t.TempDir()
	slip, there := "sqlite:"+filepath.Join(dir, "slip.db"), migrated(t)
	for _, args := range onDatabase(slip, there, filepath.Join(dir, "b")) {
		if code, out, errs := call("", args...); code != 1 || !strings.Contains(out+errs, "slip.db: no such file") || !strings.Contains(out+errs, "next: check the path") {
			t.Errorf("%v: exit code %d, %q %q; want that there is no such file", args, code, out, errs)
		}
	}
	for _, name := range []string{"sqlite:file:" + dir + "/x.db", "sqlite::memory:", "file:" + dir + "/x.db", ":memory:", "sqlite:" + dir + "/x.db?mode=memory"} {
		fails(t, 2, []string{"migrate", "--database", name}, "--database")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there is %v (%v), want nothing", left, err)
	}
}

// begun are the databases that tests begin with, by the command that makes each: the first test that wants one runs it.
var begun struct {
	sync.Mutex
	files map[string][]byte
}

// begins returns a database that a command line makes.
func begins(t *testing.T, line ...string) string {
	t.Helper()
	begun.Lock()
	defer begun.Unlock()
	file, name := filepath.Join(t.TempDir(), "m.db"), strings.Join(line, " ")
	if begun.files[name] == nil {
		told(t, "", append(line, "--database", "sqlite:"+file)...)
		if begun.files == nil {
			begun.files = map[string][]byte{}
		}
		begun.files[name] = contents(t, file)
	}
	writes(t, file, begun.files[name])
	return "sqlite:" + file
}

// migrated returns an empty database that is up to date.
func migrated(t *testing.T) string {
	t.Helper()
	return begins(t, "migrate")
}

func used(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writes(t, filepath.Join(dir, "molerun.db"), "")
	return dir
}

func TestMigrateIsSafeToRunAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	db := "sqlite:" + path
	if code, _, errs := call("", "migrate", "--database", db, "--status"); code == 0 || !strings.Contains(errs, "no such file") {
		t.Errorf("without a file: exit code %d\n%s", code, errs)
	}
	writes(t, path, "")
	if code, out, _ := call("", "migrate", "--database", db, "--status"); code != 0 || !strings.Contains(out, "pending 00001") {
		t.Errorf("before: exit code %d\n%s", code, out)
	}
	for range 2 {
		if code, out, errs := call("", "migrate", "--database", db); code != 0 || strings.Contains("\n"+out, "\npending ") {
			t.Errorf("exit code %d\n%s%s", code, out, errs)
		}
	}
	if code, out, _ := call("", "admin", "token", "ada", "--database", db); code != 0 || !strings.HasPrefix(out, "mr_") {
		t.Errorf("exit code %d, %q; want a token", code, out)
	}
	fails(t, 1, []string{"admin", "token", "Ada", "--role", "admin", "--database", db}, "molerun admin user promote ada --role admin")
}

func TestRulesIsTheConsole(t *testing.T) {
	code, out, _ := call(`{"op":"deal","seed":"`+strings.Repeat("00", 32)+`"}`+"\n"+`{"op":"offer","seat":1}`+"\n"+`{"op":"dance"}`+"\n", "rules", "molehill")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 3 || !strings.HasPrefix(lines[0], `{"ok":true,"step":0,"due":[`) || !strings.Contains(lines[2], `"code":"unknown_op"`) {
		t.Errorf("exit code %d, want 0, a deal, an offer and a refusal\n%s", code, out)
	}
}

// The doctor tells of one mistake once, and not of what is refused as if it were in force. A slip that hides which database is meant stops
// all that work on one.
func TestTheDoctorTellsOfOneMistakeOnce(t *testing.T) {
	settingsIn(t)
	db := migrated(t)
	for name, value := range map[string]string{
		"MOLERUN_WORKER": "8", "MOLERUN_ALLOW_PRIVATE_BOTS": "10.0.0.0/33", "MOLERUN_METRICS": "0.0.0.0:99999", "MOLERUN_PUBLIC_URL": "molerun.org",
		"MOLERUN_OIDC_ISSUER": "https://issuer.example", "MOLERUN_OIDC_CLIENT_ID": "a", "MOLERUN_OIDC_CLIENT_SECRET": "bcdefghi", "MOLERUN_LOG_LEVEL": "loud",
	} {
		t.Setenv(name, value)
	}
	code, out, _ := call("", "admin", "doctor", "--database", db)
	for want, n := range map[string]int{
		"MOLERUN_WORKER ": 1, "MOLERUN_ALLOW_PRIVATE_BOTS, --allow-private-bots: \"10.0.0.0/33\" is not a network such as 127.0.0.0/8: prefix length out of range\n": 1,
		"MOLERUN_ALLOW_PRIVATE_BOTS": 1, "MOLERUN_METRICS": 1, "MOLERUN_PUBLIC_URL": 1, "put https:// in front": 1, "MOLERUN_LOG_LEVEL, --log-level": 1,
	} {
		if got := strings.Count(out, want); got != n || code != 1 {
			t.Errorf("exit code %d; %q is there %d times, want %d\n%s", code, want, got, n, out)
		}
	}
	if _, out, _ := call("", "admin", "doctor", "--database", "postgres://me:hunter22@db:54x/mole"); strings.Count(out, "postgres://user") != 1 || strings.Contains(out, "hunter22") {
		t.Errorf("a wrong database is to be reported once:\n%s", out)
	}
	t.Setenv("MOLERUN_DATABSE", "postgres://db/x")
	if code, _, errs := call("", "admin", "user", "list", "--database", db); code != 2 || strings.Contains(errs, "MOLERUN_WORKER ") || !strings.Contains(errs, "did you mean MOLERUN_DATABASE") {
		t.Errorf("exit code %d, %q; want the slip of the database alone", code, errs)
	}
}

func TestABadEnvironmentIsToldByWhatReadsItAndHidesNoHelp(t *testing.T) {
	t.Setenv("MOLERUN_WORKERS", "many")
	for _, name := range []string{"serve", "work", "migrate", "admin doctor", "admin token x", "admin backup x", "admin restore x", "ratings replay", "ratings fit", "ratings calibration"} {
		args := strings.Fields(name)
		want := 2
		switch name {
		case "serve", "work":
		case "admin doctor":
			want = 1 // it goes on, and lists what it finds
		default: // it reads no such setting: a slip there must not stop the nightly backup
			if _, out, errs := call("", append(args, "--database", "sqlite:"+t.TempDir()+"/none.db")...); strings.Contains(out+errs, "MOLERUN_WORKERS") {
				t.Errorf("%s: %q %q; want nothing of a setting that it does not read", name, out, errs)
			}
			continue
		}
		// The value may be a secret in the wrong place.
		if code, out, errs := call("", args...); code != want || !strings.Contains(out+errs, "MOLERUN_WORKERS is not a whole number") || strings.Contains(out+errs, "many") {
			t.Errorf("%s: exit code %d, %q %q; want %d and the name without the value", name, code, out, errs, want)
		}
		if code, out, errs := call("", append(args, "--help")...); code != 0 || !strings.Contains(out, "--database") {
			t.Errorf("%s --help: exit code %d, %q %q; want 0 and the help", name, code, out, errs)
		}
	}
}
