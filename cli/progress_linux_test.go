package cli_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/internal/clitest"
)

// Why a command shows no progress.
const (
	oneRequest = "one request, or a page of them" // to a platform
	oneQuery   = "one query of the database"
	prints     = "prints a text, or reads one record"
	finds      = "tells each thing when it is found"
	serves     = "serves until it is stopped"
)

// quickCommands returns those that show no progress, and why.
func quickCommands() map[string]string {
	quick := map[string]string{
		"admin doctor": finds, "tournament watch": finds,
		"connect": serves, "house": serves, "mcp": serves, "rules": serves, "serve": serves, "work": serves,
	}
	for why, names := range map[string]string{
		oneRequest: "account browse; account delete; account end; account rotate; account show; bot challenge; bot check; bot checkin; bot create; bot enter; bot join; bot leave; bot list; bot matches; bot pause; bot promote; " +
			"bot release; bot rematch; bot replay; bot resume; bot review; bot show; bot takes-challenges; bot versions; bot withdraw; card delete; card list; card show; card upload; login; token create; token list; token revoke; class create; class end; class list; class login; class show; " +
			"ladder create; ladder list; ladder show; schedule cancel; schedule create; schedule edit; schedule list; schedule organisers; schedule pause; schedule resume; schedule show; " +
			"series create; series delete; series edit; series export; series list; series organisers; series show; tournament admit; tournament bracket; tournament cancel; tournament checkin; " +
			"tournament create; tournament edit; tournament export; tournament invite; tournament list; tournament organisers; tournament pair; tournament pause; tournament resume; tournament seed; " +
			"tournament show; tournament standings; tournament start; tournament substitute; tournament void; tournament withdraw",
		oneQuery: "admin audit; admin link; admin token; admin user disable; admin user enable; admin user list; admin user promote",
		prints:   "completion bash; completion fish; completion powershell; completion zsh; evaluate export; help; init; logout; replay page; replay show; schema; version",
	} {
		for name := range strings.SplitSeq(names, "; ") {
			quick[name] = why
		}
	}
	return quick
}

// longCommand is a run of a command that may take long.
type longCommand struct {
	name string   // the command
	args []string // after its name; OUT is a new path
	want string   // on the terminal
}

// runsOn is what the runs need.
type runsOn struct{ db, record, bot, platform, card string }

func newRunsOn(t *testing.T) runsOn {
	t.Helper()
	dir := t.TempDir()
	p := runsOn{db: yesterday(t), record: filepath.Join(dir, "games", "molehill-0001.jsonl.gz"), bot: mine(t, 0), card: filepath.Join(dir, "card")}
	told(t, "", "play", "molehill", "greedy", "random", "--out", filepath.Dir(p.record))
	told(t, "", "evaluate", "greedy", "--plan", "quick", "--games", "cia", "--out", p.card)
	p.platform = serving(t, p.db)
	settingsIn(t)
	told(t, "", "login", p.platform, "--name", "newcomer")
	told(t, "", "bot", "create", "newcomer-bot", p.bot)
	return p
}

// longCommands returns all that show progress but for the demo: at least one run of each.
func longCommands(p runsOn) []longCommand {
	return []longCommand{
		{"account export", nil, "\r\x1b[Kexported: 0 kB"},
		{"admin backup", []string{"OUT", "--database", p.db}, "\r\x1b[Kwritten: 0 MB"},
		{"admin copy", []string{"--from", p.db, "--to", "sqlite:OUT"}, "\r\x1b[Kread: 0 MB"},
		{"admin restore", []string{"testdata/golden/backup.jsonl.gz", "--verify", "--database", "sqlite:OUT"}, "\r\x1b[Kplayed again: 0 matches"},
		{"check", []string{p.bot}, "\r\x1b[Kchecked: 0 findings"},
		{"export matches", []string{"--platform", p.platform}, "\r\x1b[Kexported: 0 matches"},
		{"evaluate", []string{"greedy", "--plan", "quick", "--games", "cia", "--out", "OUT"}, "\r\x1b[Kcia   0% |"},
		{"evaluate verify", []string{filepath.Join(p.card, "card.json"), p.card}, "\r\x1b[Kcia   0% |"},
		{"export records", []string{"newcomer-bot", "--out", "OUT"}, "\r\x1b[Kexported: 0 kB"},
		{"migrate", []string{"--database", "sqlite:OUT"}, "\r\x1b[Kmigrating: 0 s"},
		{"play", []string{"molehill", "greedy", "random", "--out", "OUT"}, "0 of 1 games"},
		{"ratings calibration", []string{"--database", p.db}, "\r\x1b[Kjudging cia: 0 s"},
		{"ratings fit", []string{"--database", p.db}, "\r\x1b[Kfitting cia: 0 s"},
		{"ratings replay", []string{"--database", p.db}, "\r\x1b[Krating cia: 0 s"},
		{"ratings replay", []string{"--check", "--database", p.db}, "\r\x1b[Krating cia: 0 s"},
		{"replay fork", []string{p.record, "--at", "2", "--out", "OUT"}, "\r\x1b[Kplaying on: 0 s"},
		{"replay redrive", []string{p.record, p.bot, "--seat", "0", "--yes"}, "\r\x1b[Kasked again: 0 turns"},
		{"replay review", []string{p.record, "--step", "1", "--playouts", "40"}, "\r\x1b[Kreviewing   0% |"},
		{"replay verify", []string{p.record, p.record}, "\r\x1b[Kverified: 0 records"},
		{"sprt", []string{"molehill", "greedy", "random", "--max", "2", "--out", "OUT"}, "\r\x1b[K1 pair: LLR "},
		{"tune", []string{"molehill", "--cmd", "python3 ../bots/starters/python/bot.py", "--param", "N=1:0:2", "--steps", "1", "--pairs", "1", "--final", "0", "--state", "OUT"}, "\r\x1b[Kstep 1 of 1: 0 matches"},
	}
}

// redrawn is what is drawn over later: its lines are cut at the edge of the terminal.
var redrawn = regexp.MustCompile(`(?s)\x1b\[\?7l.*?\x1b\[\?7h`)

// Each command that may take long shows how far it is on a terminal, and nothing of that elsewhere; stdout never has any of it.
func TestProgressIsShownOnATerminalAndNowhereElse(t *testing.T) {
	dir, rows := t.TempDir(), longCommands(newRunsOn(t))
	for i, row := range rows {
		args := func(where string) []string {
			list := append(strings.Fields(row.name), row.args...)
			for k, arg := range list {
				list[k] = strings.Replace(arg, "OUT", filepath.Join(dir, string(rune('a'+i))+where), 1)
			}
			return list
		}
		exit := map[string]int{"sprt": 4}[row.name] // of undecided
		code, out, errs := call("", args("")...)
		screen, _, drawn := clitest.Terminal(t)
		var seen bytes.Buffer
		onScreen := cli.Main(args("-terminal"), strings.NewReader(""), &seen, screen)
		text := drawn()
		switch name := strings.Join(args(""), " "); {
		case code != exit || onScreen != exit:
			t.Errorf("%s: exit codes %d and, on a terminal, %d; want %d\n%s%s", name, code, onScreen, exit, errs, text)
		case strings.ContainsAny(out+errs+seen.String(), "\r\x1b") || strings.Contains(out+errs+seen.String(), strings.TrimPrefix(row.want, "\r\x1b[K")):
			t.Errorf("%s: shows how far it is where no terminal is: %q, %q; beside a terminal %q", name, out, errs, seen.String())
		case !strings.Contains(text, row.want):
			t.Errorf("%s: the terminal shows %q, want %q", name, text, row.want)
		case strings.Contains(redrawn.ReplaceAllString(text, ""), strings.TrimPrefix(row.want, "\r\x1b[K")):
			t.Errorf("%s: on a narrow terminal what is drawn over takes more lines than are drawn over: %q", name, text)
		}
	}
}

// A new command says whether it may take long.
func TestEveryCommandIsQuickOrShowsProgress(t *testing.T) {
	quick, long := quickCommands(), []string{"demo"}
	for _, row := range longCommands(runsOn{}) {
		long = append(long, row.name)
	}
	root := cli.Commands()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	leaves(root, nil, func(cmd *cobra.Command, words []string) {
		name := strings.Join(words, " ")
		if cmd.HasSubCommands() || cmd.Hidden {
			return
		}
		if isQuick := quick[name] != ""; isQuick == slices.Contains(long, name) {
			t.Errorf("molerun %s: quick %t, long %t: want a row in quickCommands or in longCommands", name, isQuick, !isQuick)
		}
		delete(quick, name)
	})
	if len(quick) > 0 {
		t.Errorf("there are no commands %v", quick)
	}
}
