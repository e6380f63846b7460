package cli_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

func TestRedriveAsksBeforeItSendsAnotherBotsTurns(t *testing.T) {
	dir, url := t.TempDir(), mine(t, 0)
	told(t, "", "play", "molehill", url, "random", "--out", dir)
	redrive := []string{"replay", "redrive", filepath.Join(dir, "molehill-0001.jsonl.gz"), url, "--seat"}
	const question = "Seat 1 was random, not mine. Send its turns to "
	for _, row := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"another's, and nobody to answer", []string{"1"}, 2, question},
		{"another's, agreed to", []string{"1", "--yes"}, 0, "seat 1, random: its turns go to mine at "},
		{"another's, by its name", []string{"random"}, 0, "seat 1, random: its turns go to mine at "},
		{"its own", []string{"0"}, 0, "seat 0, mine: its turns go to mine at "},
		{"a bot of another match", []string{"rival"}, 2, `no seat of this match was "rival"; the seats: 0 mine, 1 random`},
	} {
		code, out, errs := call("", append(redrive, row.args...)...)
		if code != row.code {
			t.Errorf("%s: exit code %d, want %d\n%s", row.name, code, row.code, errs)
		}
		if !strings.Contains(errs, row.want) {
			t.Errorf("%s: got %q, want %q in it", row.name, errs, row.want)
		}
		if sent := strings.Contains(out, "decides differently at "); sent != (row.code == 0) {
			t.Errorf("%s: turns were sent: %t\n%s", row.name, sent, out)
		}
	}
	for answer, want := range map[string]string{"yes\n": "seat 1, random: its turns go to mine at ", "\n": "nothing was sent"} {
		screen, keys, _ := clitest.Terminal(t)
		_, err := keys.WriteString(answer)
		must.OK(t, err)
		var out, errs bytes.Buffer
		if code := cli.Main(append(redrive, "1"), screen, &out, &errs); code != 0 {
			t.Errorf("answer %q: exit code %d, want 0", answer, code)
		}
		for _, part := range []string{question, want} {
			if !strings.Contains(errs.String(), part) {
				t.Errorf("answer %q: got %q, want %q in it", answer, errs.String(), part)
			}
		}
	}
}

// A table with more lines than the terminal is drawn over itself too: the cursor cannot go above the first line.
func TestATallTableFitsTheTerminal(t *testing.T) {
	const rows = 8
	screen, keys, drawn := clitest.Terminal(t)
	must.OK(t, unix.IoctlSetWinsize(int(keys.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: 80}))
	var out bytes.Buffer
	args := []string{"play", "molehill", "greedy", "random", "random", "random", "random", "--gauntlet", "--out", t.TempDir()}
	if code := cli.Main(args, strings.NewReader(""), &out, screen); code != 0 {
		t.Fatal(drawn())
	}
	text := drawn()
	tables := redrawn.FindAllString(text, -1)
	for _, table := range tables {
		if n := strings.Count(table, "\n") + 1; n > rows || !strings.Contains(table, "| greedy ") || !strings.Contains(table, " of 8 games") {
			t.Errorf("%d lines on a terminal of %d: %q", n, rows, table)
		}
	}
	if len(tables) < 1 || strings.Count(out.String(), "| random#4 |     2 |") != 1 {
		t.Errorf("got %q and %s, want tables that are drawn over, and all bots at the end", text, &out)
	}
}

// Where no browser opens, a person who has no token yet is led to the login on any device.
func TestALoginAtATerminalNeedsNoBrowserHere(t *testing.T) {
	file := settingsIn(t)
	issuer, url := trusting(t)
	screen, keys, _ := clitest.Terminal(t)
	_, err := keys.WriteString("\nada\n")
	must.OK(t, err)
	const question = "or Enter to log in in a browser on any device"
	code, out, errs := logsIn(t, t.Context(), screen, func(code string) { issuer.Agree(code, "ada") }, url)
	if code != 0 || out != "ada at "+url+"\n" || !strings.Contains(errs, question) {
		t.Fatalf("Enter: prints %q and %q, exit code %d", out, errs, code)
	}
	kept := contents(t, file)
	token := regexp.MustCompile(`mr_[0-9A-Za-z]{64}`).Find(kept)
	_, err = keys.WriteString(string(token) + "\n")
	must.OK(t, err)
	var got, said bytes.Buffer
	if code := cli.Main([]string{"login", url, "--replace"}, screen, &got, &said); code != 0 || got.String() != out || !strings.Contains(said.String(), question) {
		t.Errorf("a token: prints %q and %q, exit code %d", got.String(), said.String(), code)
	}
	for name, in := range map[string]string{"no input": "", "an empty line": "\n"} {
		if code, _, errs := call(in, "login", url, "--replace"); code != 2 || !strings.Contains(errs, "--device") || strings.Contains(errs, question) {
			t.Errorf("%s, and nobody to ask: exit code %d, %q; want 2 and what to do", name, code, errs)
		}
	}
}
