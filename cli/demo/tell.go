package demo

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
)

// ladderEntry is a ladder's line as the demo prints it.
type ladderEntry struct {
	Rank        int     `json:"rank"`  // among the established; 0 in another class
	Class       string  `json:"class"` // established, provisional, inactive or replaced
	Bot         string  `json:"bot"`
	Elo         float64 `json:"elo"` // the rating: strength by all results at once, with
	Low         float64 `json:"low"` // its 95 % interval
	High        float64 `json:"high"`
	PlusMinus   float64 `json:"plus_minus"` // half the width of that
	Online      float64 `json:"online"`     // the on-line rating
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

func (d *demo) tellServing(url string) {
	d.tell.Event(struct {
		Event string `json:"event"`
		URL   string `json:"url"`
	}{"serving", url})
	d.tell.Progress("serving at %s", url)
}

func (d *demo) tellScheduled(c planned, created wire.Tournament) {
	d.tell.Event(struct {
		Event      string   `json:"event"`
		Game       string   `json:"game"`
		Variant    string   `json:"variant"`
		Format     string   `json:"format"`
		Tournament string   `json:"tournament"`
		Bots       []string `json:"bots"`
		Matches    int      `json:"matches"`
	}{Event: "scheduled", Game: c.game, Variant: c.variant, Format: created.Format, Tournament: created.ID, Bots: c.bots, Matches: created.Expected})
	starts := "next"
	if c.series {
		starts = created.StartsAt.Format("at 15:04:05 MST")
	}
	d.tell.Progress("%s %s: %s registered, %s of at most %s starts %s", c.game, c.variant, game.Plural(len(c.bots), "bot"), created.Format, game.Plural(created.Expected, "match"), starts)
}

// tellDone prints the ladders, the standings of what is not rated, and where the records are.
func (d *demo) tellDone(ladders map[string][]ladderEntry, tables []standings) error {
	d.tell.Event(struct {
		Event   string                   `json:"event"`
		Matches int                      `json:"matches"`
		Voided  int                      `json:"voided"`
		Faults  int                      `json:"faults"`
		Ladders map[string][]ladderEntry `json:"ladders"`
		Tables  []standings              `json:"tournaments"`
		Replays string                   `json:"replays"`
	}{Event: "done", Matches: d.matches, Voided: d.voided, Faults: d.faults, Ladders: ladders, Tables: tables, Replays: d.replays})
	if !d.tell.JSON() {
		for _, id := range slices.Sorted(maps.Keys(ladders)) {
			printLadder(d.tell.Out, id, ladders[id])
		}
		for _, x := range tables {
			printStandings(d.tell.Out, x)
		}
		fmt.Fprintf(d.tell.Out, "\n%s, %d voided, %s\n", game.Plural(d.matches, "match"), d.voided, game.Plural(d.faults, "fault"))
		fmt.Fprintf(d.tell.Out, "records: %s\ncheck them: molerun replay verify %s/*\n", d.replays, command.Quoted(d.replays))
	}
	return nil
}

func printLadder(w io.Writer, id string, rows []ladderEntry) {
	t := printer.NewTable("#", "bot", "Elo [95 %]", "rank by fit", "on-line", "matches", "won", "drawn", "lost", "")
	t.SetTitle("Ladder: " + id)
	for _, r := range rows {
		place, mark := fmt.Sprint(r.Rank), ""
		if r.Rank == 0 {
			place, mark = "–", r.Class
		}
		t.Row(place, r.Bot, tournament.Interval("%.1f", r.Elo, r.Low, r.High), printer.Ranks(r.RankFrom, r.RankTo), fmt.Sprintf("%.1f", r.Online),
			r.Matches, r.Wins, r.Draws, r.Losses, mark)
	}
	fmt.Fprintln(w, t.Render())
}

func printStandings(w io.Writer, x standings) {
	t := printer.NewTable("#", "bot", "points", "matches", "won", "drawn", "lost")
	t.SetTitle("%s: %s", x.Format, x.Game)
	for _, r := range x.Rows {
		t.Row(r.Rank, r.Bot, fmt.Sprintf("%.2f", r.Points), r.Played, r.Wins, r.Draws, r.Losses)
	}
	fmt.Fprintln(w, t.Render())
}
