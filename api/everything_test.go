package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/molerun/molerun/api"
	"github.com/molerun/molerun/api/web"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

// table starts a match of a game with its fewest players that seat more than two where it can.
func (w *world) table(e game.Engine) tournament.Match {
	w.t.Helper()
	seats := max(e.Info().MinSeats, min(3, e.Info().MaxSeats))
	variants := e.Info().Variants
	config, err := e.Configure(json.RawMessage(variants[min(1, len(variants)-1)].Config), seats)
	must.OK(w.t, err)
	_, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config, c.Table = e.Info().ID, config, seats }, []string{owner, other, rival, organiser, admin}[:seats]...)
	return list[0]
}

func TestLongEverythingIsOpenWhenAMatchIsOver(t *testing.T) {
	onSQLite(t, func(c *api.Config) { c.Engines = append(engines(), catalog.All()...) }, func(w *world) {
		// TestEverythingIsOpenWhenAMatchIsOver, and before that to nobody, in any of the games.
		g := &gallery{world: w}
		for _, e := range catalog.All() {
			id, m := e.Info().ID, w.table(e)
			at := "/matches/" + m.ID
			w.playWith(m, 6, dicer{})
			refused, code := 409, "wrong_state"
			if !e.Hides() {
				refused, code = 400, "bad_query"
			}
			for _, path := range []string{at + "?seat=-2", at + "?seat=-2&spoilers=hide", "/embed" + at + "?seat=-2", at + "/frames?seat=-2", at + "/board.svg?seat=-2"} {
				for _, who := range people() {
					w.get(who, path).want(refused, code)
				}
			}
			running := string(w.get(anon, at).want(200, "").body)
			if !strings.Contains(running, `data-seat="-1"`) || strings.Contains(running, "everything open") {
				t.Errorf("%s: everything is offered while the match runs", id)
			}
			if got := strings.Contains(running, "is shown when the match is over") || strings.Contains(running, "are shown when the match is over"); got != e.Hides() {
				t.Errorf("%s: the page of a running match says what is hidden, and until when: %v, want %v", id, got, e.Hides())
			}
			g.release(m)
			g.more(m, 1<<20)
			first := g.first(id)
			over := string(w.get(anon, at).want(200, "").body)
			if !strings.Contains(over, fmt.Sprintf(`data-seat="%d"`, first)) || strings.Contains(over, "everything open") != e.Hides() {
				t.Errorf("%s: the page of a match that is over does not begin as seat %d, or offers everything where nothing is hidden", id, first)
			}
			if !e.Hides() {
				w.get(anon, at+"/board.svg?seat=-2").want(400, "bad_query")
				continue
			}
			for _, step := range []int{0, 6} {
				board := func(seat int) string {
					return string(w.get(anon, fmt.Sprintf("%s/board.svg?step=%d&seat=%d", at, step, seat)).want(200, "").body)
				}
				if board(-2) == board(-1) {
					t.Errorf("%s, step %d: everything is what a spectator saw", id, step)
				}
			}
			frames := into[web.MatchFrames](w.get(anon, at+"/frames?seat=-2").want(200, "")).Frames
			told := ""
			for _, f := range frames {
				told += f.HTML
			}
			must.Say(t, told, "alone: ")
		}

		// Where the reader asks for it, without a script too.
		e, _ := catalog.Find("demol")
		m := w.table(e)
		w.playWith(m, 1<<20, dicer{})
		at := "/matches/" + m.ID
		page := func(query string) string { return string(w.get(anon, at+query).want(200, "").body) }
		last := 0
		_, err := fmt.Sscanf(between(page(""), `<span id="last">`, "<"), "%d", &last)
		must.OK(t, err)
		hidden := page("?step=3&spoilers=hide&seat=2")
		must.Say(t, hidden, `class="viewer hiding"`, `data-seat="-1"`, "Show results", "&amp;spoilers=hide#viewer")
		if moves := between(hidden, `<div class="moves"`, "</ol>"); !strings.Contains(moves, `data-step="3"`) || strings.Contains(moves, `data-step="4"`) || strings.Contains(hidden, "everything open</a>") {
			t.Error("with results hidden the page tells later moves, or leads to everything")
		}
		for _, query := range []string{"?step=3", fmt.Sprintf("?step=%d&spoilers=hide", last)} {
			if shown := page(query); strings.Contains(shown, `class="viewer hiding"`) || !strings.Contains(shown, `data-seat="-2"`) {
				t.Errorf("%s: results are hidden", query)
			}
		}
		w.get(anon, at+"?spoilers=show").want(400, "bad_query")
	})
}
