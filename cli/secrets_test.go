package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/cli/settings"
)

const canary = "cAnArY"

// leaves returns the commands that do something, by the words that call them, with as many arguments as each wants.
func leaves(cmd *cobra.Command, words []string, each func(cmd *cobra.Command, words []string)) {
	for _, sub := range cmd.Commands() {
		leaves(sub, append(slices.Clone(words), sub.Name()), each)
	}
	if len(words) > 0 {
		each(cmd, words)
	}
}

// secretsEverywhere puts a canary into every variable, each in the form that it wants; database is that of MOLERUN_DATABASE.
func secretsEverywhere(t *testing.T, database string) {
	t.Helper()
	s := reflect.TypeFor[settings.Settings]()
	for i := range s.NumField() {
		if f := s.Field(i); f.Tag.Get("secret") != "" {
			t.Setenv(f.Tag.Get("env"), strings.Repeat(canary+f.Name, 6))
		}
	}
	t.Setenv("MOLERUN_DATABASE", database)
	t.Setenv("MOLERUN_SECRET", "whsec_"+canary+"Secret")
	t.Setenv("PGPASSWORD", canary+"PGPASSWORD")
}

// tellsNone runs a command line and wants no canary in what it prints.
func tellsNone(t *testing.T, args ...string) (out string) {
	t.Helper()
	var all bytes.Buffer
	cli.MainContext(t.Context(), args, strings.NewReader(""), &all, &all)
	if strings.Contains(all.String(), canary) {
		t.Errorf("%v prints a secret:\n%s", args, all.String())
	}
	return all.String()
}

func TestNoCommandPrintsASecretOfItsSettings(t *testing.T) {
	settingsIn(t)
	dir := t.TempDir()
	t.Chdir(dir)
	secretsEverywhere(t, "postgres://molerun:"+canary+"DB@127.0.0.1:1/molerun?connect_timeout=1")
	n := 0
	leaves(cli.Commands(), nil, func(cmd *cobra.Command, words []string) {
		n++
		if help := tellsNone(t, append(words, "--help")...); !strings.Contains(help, "Usage:") {
			t.Errorf("%v --help prints %q", words, help)
		}
		tellsNone(t, append(words, "--no-such-flag")...)
		tellsNone(t, append(words, "--no-such-flag", "--json")...)
		tellsNone(t, append(words, "--secret", canary+"flag", "--nonsense")...)
		for _, url := range databases()[:3] {
			tellsNone(t, append(append(words, strings.Fields(strings.Repeat("x ", 9))...), url)...)
			if cmd.Flags().Lookup("database") != nil {
				tellsNone(t, append(words, "--nonsense", "--database", url)...)
			}
		}
	})
	if n < 60 {
		t.Errorf("%d commands were tried", n)
	}
	if left, _ := filepath.Glob("*"); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// databases returns addresses with a canary for a password that lead nowhere, or are none.
func databases() []string {
	return []string{
		"postgres://molerun:" + canary + "@127.0.0.1:1/molerun?connect_timeout=1", // nobody listens
		"postgresql://molerun:" + canary + "@127.0.0.1:port/molerun",
		"postgres://molerun:" + canary + "/x@127.0.0.1/molerun",
		"postgres://molerun:" + canary + "%zz@127.0.0.1/molerun",
		"postgres://127.0.0.1:1/molerun?user=molerun&password=" + canary + "&connect_timeout=1",
		"postgres:/molerun:" + canary + "@127.0.0.1/molerun",
		"postgress://molerun:" + canary + "@127.0.0.1/molerun",
		"mysql://molerun:" + canary + "@127.0.0.1/molerun",
		"host=127.0.0.1 user=molerun password=" + canary,
		"sqlite:no/such/folder/password=" + canary,
	}
}

// Every command that works on a database is started with one that it cannot open, named by the flag or by the variable.
func TestNoErrorOfADatabaseQuotesItsPassword(t *testing.T) {
	settingsIn(t)
	t.Chdir(t.TempDir())
	for _, url := range databases() {
		for _, byFlag := range []bool{true, false} {
			secretsEverywhere(t, url)
			if byFlag {
				t.Setenv("MOLERUN_DATABASE", "")
			}
			for _, line := range []string{
				"migrate", "migrate --status", "admin doctor", "admin doctor --quick", "admin token ada", "admin user list", "admin user disable ada", "admin audit",
				"admin backup out.gz", "admin restore " + os.DevNull, "ratings show", "ratings check", "ratings fit", "ratings calibration",
			} {
				args := strings.Fields(line)
				if byFlag {
					args = append(args, "--database", url)
				}
				if out := tellsNone(t, args...); out == "" {
					t.Errorf("%v says nothing", args)
				}
			}
			for _, args := range [][]string{{"admin", "copy", "--from", url, "--to", "sqlite:x.db"}, {"admin", "copy", "--from", "sqlite:none.db", "--to", url}} {
				tellsNone(t, args...)
			}
		}
	}
	left, _ := filepath.Glob("*" + canary + "*")
	if len(left) > 0 {
		t.Errorf("a password became the name of a file: %v", fmt.Sprint(left))
	}
}
