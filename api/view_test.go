package api_test

import (
	"fmt"
	"testing"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
)

func TestAViewIsServedInWordsTooAndAnySeatsWhenTheMatchIsOver(t *testing.T) {
	onOne(t, func(w *world) {
		_, list := w.started(func(*tournament.Tournament) {}, owner, other)
		path := "/v1/matches/" + list[0].ID + "/view"
		w.get(anon, path).want(409, "wrong_state") // queued
		w.play(list[0], 2)
		w.get(anon, path).want(200, "").has("step", 2, "seat", nil, "due", []int{0, 1}, "view", map[string]any{"round": 2}, "text", `Round 2. You wear "".`)
		w.get(anon, path+"?step=1").want(200, "").has("step", 1, "text", `Round 1. You wear "".`)
		for _, who := range people() {
			w.get(who, path+"?seat=0").want(409, "wrong_state")
		}

		_, list = w.started(func(*tournament.Tournament) {}, owner, other)
		w.play(list[0], 100)
		mask := w.secrets(list[0])["mask 1"]
		for step := range 5 {
			got := w.get(anon, fmt.Sprintf("/v1/matches/%s/view?seat=1&step=%d", list[0].ID, step)).want(200, "")
			got.has("step", step, "seat", 1, "view", map[string]any{"round": step, "mask": mask}, "text", fmt.Sprintf("Round %d. You wear %q.", step, mask))
			same(t, fmt.Sprintf("seat 1 after %d steps: nobody is due", step), len(into[wire.MatchView](got).Due) == 0, step == 4)
		}

		_, list = w.started(func(c *tournament.Tournament) { c.Game, c.Config = "toy", []byte(`{"steps":5}`) }, owner, other)
		w.play(list[0], 1)
		path = "/v1/matches/" + list[0].ID + "/view"
		w.get(anon, path).want(200, "").has("text", nil, "view", some{}) // a game without words
		must.OK(t, w.director.Void(t.Context(), w.matchOf(list[0].ID), "a fault of ours", nil))
		w.get(anon, path).want(409, "wrong_state")
		w.get(admin, path+"?seat=0").want(409, "wrong_state")
	})
}

var _ game.Describer[masksView] = masks{}
