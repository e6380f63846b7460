package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/schollz/progressbar/v3"

	"github.com/molerun/molerun/api/wire"
)

// ladderEntry is a ladder's line as the demo tells it.
type ladderEntry struct {
	Rank        int     `json:"rank"`  // among the established; 0 in another class
	Class       string  `json:"class"` // established, provisional, inactive or replaced
	Bot         string  `json:"bot"`
	Elo         float64 `json:"elo"`
	Fit         float64 `json:"fit"` // strength by all results at once, with
	Low         float64 `json:"low"` // its 95 % interval
	High        float64 `json:"high"`
	PlusMinus   float64 `json:"plus_minus"` // half the width of that
	RankFrom    int     `json:"rank_from"`
	RankTo      int     `json:"rank_to"`
	Matches     int     `json:"matches"`
	Provisional bool    `json:"provisional"`
	Wins        int     `json:"wins"`
	Draws       int     `json:"draws"`
	Losses      int     `json:"losses"`
}

// standings are those of a tournament that is not rated.
type standings struct {
	Game   string     `json:"game"`
	Format string     `json:"format"`
	Rows   []standing `json:"standings"`
}

type standing struct {
	Rank   int     `json:"rank"`
	Bot    string  `json:"bot"`
	Played int     `json:"played"`
	Points float64 `json:"points"`
	Wins   int     `json:"wins"`
	Draws  int     `json:"draws"`
	Losses int     `json:"losses"`
}

// teller tells how the demo goes: progress on stderr, results on stdout, as tables or as JSON lines.
type teller struct {
	c     console
	lines *json.Encoder // nil: tables
}

func newTeller(c console, asJSON bool) *teller {
	t := &teller{c: c}
	if asJSON {
		t.lines = json.NewEncoder(c.out)
	}
	return t
}

// event writes one line of JSON, where JSON is wanted.
func (t *teller) event(v any) {
	if t.lines != nil {
		_ = t.lines.Encode(v) // a closed stdout ends the program soon enough
	}
}

func (t *teller) progress(format string, args ...any) { fmt.Fprintf(t.c.err, format+"\n", args...) }

func (t *teller) serving(url string) {
	t.event(struct {
		Event string `json:"event"`
		URL   string `json:"url"`
	}{"serving", url})
	t.progress("serving at %s", url)
}

func (t *teller) scheduled(c cup, created wire.Tournament) {
	t.event(struct {
		Event      string   `json:"event"`
		Game       string   `json:"game"`
		Variant    string   `json:"variant"`
		Format     string   `json:"format"`
		Tournament string   `json:"tournament"`
		Bots       []string `json:"bots"`
		Matches    int      `json:"matches"`
	}{"scheduled", c.game, c.variant, created.Format, created.ID, c.bots, created.Expected})
	starts := "next"
	if c.series {
		starts = created.StartsAt.Format("at 15:04:05 MST")
	}
	t.progress("%s %s: %d bots registered, %s of at most %d matches starts %s", c.game, c.variant, len(c.bots), created.Format, created.Expected, starts)
}

// done tells the ladders, the standings of what is not rated, and where the records are.
func (t *teller) done(d *demo, ladders map[string][]ladderEntry, tables []standings) error {
	t.event(struct {
		Event   string                   `json:"event"`
		Matches int                      `json:"matches"`
		Voided  int                      `json:"voided"`
		Faults  int                      `json:"faults"`
		Ladders map[string][]ladderEntry `json:"ladders"`
		Tables  []standings              `json:"tournaments"`
		Replays string                   `json:"replays"`
	}{"done", d.matches, d.voided, d.faults, ladders, tables, d.replays})
	if t.lines == nil {
		for _, id := range slices.Sorted(maps.Keys(ladders)) {
			printLadder(t.c.out, id, ladders[id])
		}
		for _, x := range tables {
			printStandings(t.c.out, x)
		}
		fmt.Fprintf(t.c.out, "\n%d matches, %d voided, %d faults\n", d.matches, d.voided, d.faults)
		fmt.Fprintf(t.c.out, "records: %s\ncheck them: molerun replay verify %s\n", d.replays, filepath.Join(d.replays, "*"))
	}
	return nil
}

// interval writes a number with the bounds of its interval, which need not be as far from it.
func interval(verb string, value, low, high float64) string {
	return fmt.Sprintf(verb+" ["+verb+", "+verb+"]", value, low, high)
}

func printLadder(w io.Writer, id string, rows []ladderEntry) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetTitle("Ladder: " + id)
	t.AppendHeader(table.Row{"#", "bot", "Elo", "fit [95 %]", "rank by fit", "matches", "won", "drawn", "lost", ""})
	for _, r := range rows {
		place, mark := fmt.Sprint(r.Rank), ""
		if r.Rank == 0 {
			place, mark = "–", r.Class
		}
		t.AppendRow(table.Row{place, r.Bot, fmt.Sprintf("%.1f", r.Elo), interval("%.1f", r.Fit, r.Low, r.High), rank(r.RankFrom, r.RankTo), r.Matches, r.Wins, r.Draws, r.Losses, mark})
	}
	t.Render()
}

func printStandings(w io.Writer, x standings) {
	t := table.NewWriter()
	t.SetOutputMirror(w)
	t.SetTitle("%s: %s", x.Format, x.Game)
	t.AppendHeader(table.Row{"#", "bot", "points", "matches", "won", "drawn", "lost"})
	for _, r := range x.Rows {
		t.AppendRow(table.Row{r.Rank, r.Bot, fmt.Sprintf("%.2f", r.Points), r.Played, r.Wins, r.Draws, r.Losses})
	}
	t.Render()
}

// bar shows how far a tournament is: redrawn on a terminal, a line now and then elsewhere.
type bar struct {
	t     *teller
	game  string
	drawn *progressbar.ProgressBar
	told  int // tenths
}

func (t *teller) bar(gameID string) *bar { return &bar{t: t, game: gameID} }

func (b *bar) set(done, of int) {
	if of == 0 {
		return
	}
	if isTerminal(b.t.c.err) {
		if b.drawn == nil {
			b.drawn = progressbar.NewOptions(of, progressbar.OptionSetWriter(b.t.c.err), progressbar.OptionSetDescription(b.game), progressbar.OptionShowCount(),
				progressbar.OptionSetWidth(30), progressbar.OptionEnableColorCodes(false))
		}
		_ = b.drawn.Set(done)
		return
	}
	if tenth := 10 * done / of; tenth > b.told {
		b.told = tenth
		b.t.progress("%s: %d of %d matches rated", b.game, done, of)
	}
}

func (b *bar) end() {
	if b.drawn != nil {
		b.t.progress("")
	}
}

// isTerminal tells whether what is written may be drawn over.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	s, err := f.Stat()
	return err == nil && s.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb"
}
