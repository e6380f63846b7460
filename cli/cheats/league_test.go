package cheats_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/molerun/molerun/cli/cheats"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m, nil) }

// entry is a cheat with how it is tried.
type entry struct {
	cheats.Cheat
	quick bool // quick enough for every run of the tests
	play  func(t *testing.T, p *platform) []cheats.Trial
}

// league lists every cheat.
func league() []entry {
	return slices.Concat(answers(), clocks(), identities(), collusion(), feeding(), tournaments(), accounts(), network())
}

// page is where the table stands.
const page = "../../docs/threats.md"

// abreast is how many cheats are tried at a time; most of the time they wait.
const abreast = 10

// whole reports whether all cheats are tried and the table is written (make cheats), or the quick ones alone.
func whole() bool { return os.Getenv("MOLERUN_CHEATS") != "" }

// TestNoCheatPays tries each cheat as a user would, against processes that serve and work on Postgres, beside an honest twin.
func TestNoCheatPays(t *testing.T) {
	p := newPlatform(t, clitest.Build(t, t.TempDir()), 16, 16)
	list := league()
	if !whole() {
		list = slices.DeleteFunc(list, func(e entry) bool { return !e.quick })
	}
	tried, rows := make([]bool, len(list)), make([]cheats.Row, len(list)) // -run may leave some out
	begin := time.Now()
	var wg sync.WaitGroup
	places := make(chan struct{}, abreast)
	for i, e := range list {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			var trials []cheats.Trial
			from := time.Now()
			t.Run(e.Name, func(t *testing.T) {
				tried[i] = true
				trials = e.play(t, p)
			})
			if !tried[i] {
				return
			}
			rows[i] = cheats.Judge(e.Cheat, trials)
			t.Logf("%v in %.1f s: %.4g", rows[i], time.Since(from).Seconds(), trials)
		})
	}
	wg.Wait()
	t.Logf("%d cheats in %.0f s", len(rows), time.Since(begin).Seconds())
	for i, r := range rows {
		if tried[i] && r.Failed() {
			t.Errorf("%v", r)
		}
	}
	if whole() && !slices.Contains(tried, false) {
		write(t, rows)
	}
}

func write(t *testing.T, rows []cheats.Row) {
	t.Helper()
	old, err := os.ReadFile(page)
	must.OK(t, err)
	text, err := cheats.Insert(old, cheats.Table(rows))
	must.OK(t, err)
	must.OK(t, os.WriteFile(page, text, 0o600))
}

// TestTheTableOfThreatsNamesEveryCheat: a cheat that is added, renamed or left out wants make cheats again.
func TestTheTableOfThreatsNamesEveryCheat(t *testing.T) {
	text, err := os.ReadFile(page)
	must.OK(t, err)
	_, rest, _ := strings.Cut(string(text), cheats.Begin)
	table, _, _ := strings.Cut(rest, cheats.End)
	var written []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, " | "); len(cells) == 5 {
			written = append(written, strings.TrimPrefix(cells[0], "| "))
		}
	}
	var names []string
	for _, e := range league() {
		if slices.Contains(names, e.Name) {
			t.Errorf("two cheats are called %q", e.Name)
		}
		names = append(names, e.Name)
		if e.Stops == "" && e.Remains == "" {
			t.Errorf("%s: neither what stops it nor why it remains", e.Name)
		}
	}
	if len(written) == 0 || !slices.Equal(written[1:], names) { // the first line is the heading
		t.Errorf("the table of %s has %d cheats, the league %d, or in another order; run make cheats", page, len(written)-1, len(names))
	}
}
