package api_test

import (
	"fmt"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestAViewIsServedInWordsToo(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/v1/matches/" + list[0].ID + "/view"
		w.get(anon, path).want(409, "wrong_state") // queued
		w.play(list[0], 2)
		got := into[wire.MatchView](w.get(anon, path).want(200, ""))
		// the spectator's view
		same(t, "got.Step", got.Step, 2)
		holds(t, "got.Seat == nil", got.Seat == nil)
		same(t, "fmt.Sprint(got.Due)", fmt.Sprint(got.Due), "[0 1]")
		same(t, "got.View", string(got.View), `{"round":2}`)
		same(t, "got.Text", got.Text, `Round 2. You wear "".`)
		if got = into[wire.MatchView](w.get(anon, path+"?step=1").want(200, "")); got.Step != 1 || got.Text != `Round 1. You wear "".` {
			t.Errorf("one step before: got %+v", got)
		}
		for _, who := range people() {
			w.get(who, path+"?seat=0").want(409, "wrong_state")
		}
	})
}

func TestAnySeatsViewIsServedWhenTheMatchIsOver(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		mask := w.secrets(list[0])["mask 1"]
		for step := range 5 {
			got := into[wire.MatchView](w.get(anon, fmt.Sprintf("/v1/matches/%s/view?seat=1&step=%d", list[0].ID, step)).want(200, ""))
			same(t, fmt.Sprintf("seat 1 after %d steps: got.Step", step), got.Step, step)
			if got.Seat == nil {
				t.Fatalf("seat 1 after %d steps: got %+v, want its view with %s", step, got, mask)
			}
			same(t, fmt.Sprintf("seat 1 after %d steps: *got.Seat", step), *got.Seat, 1)
			same(t, fmt.Sprintf("seat 1 after %d steps: string(got.View)", step), string(got.View), fmt.Sprintf(`{"round":%d,"mask":%q}`, step, mask))
			same(t, fmt.Sprintf("seat 1 after %d steps: got.Text", step), got.Text, fmt.Sprintf("Round %d. You wear %q.", step, mask))
			same(t, fmt.Sprintf("seat 1 after %d steps: nobody is due", step), len(got.Due) == 0, step == 4)
		}
	})
}

func TestAGameWithoutWordsAndAVoidMatch(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", []byte(`{"steps":5}`) }, owner, other)
		w.play(list[0], 1)
		path := "/v1/matches/" + list[0].ID + "/view"
		if got := into[wire.MatchView](w.get(anon, path).want(200, "")); got.Text != "" || len(got.View) == 0 {
			t.Errorf("a game without words: got %+v, want the view alone", got)
		}
		m, err := w.store.Match(t.Context(), list[0].ID)
		if err == nil {
			err = w.director.Void(t.Context(), m, "a fault of ours", nil)
		}
		must.OK(t, err)
		w.get(anon, path).want(409, "wrong_state")
		w.get(admin, path+"?seat=0").want(409, "wrong_state")
	})
}

var _ game.Describer[masksView] = masks{}
