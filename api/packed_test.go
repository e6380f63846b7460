package api_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/molerun/molerun/tournament"
)

func TestPackedDecisionsGiveTheSameBytesAsBefore(t *testing.T) {
	onOne(t, func(w *world) {
		w.builds = []string{"b1", "b2"}
		cup, list := w.played(func(*tournament.Tournament) {}, "owner", "other")
		w.clk.Move(48 * time.Hour)
		paths := []string{"/ladders/" + cup.LadderID, "/bots/" + list[0].Seats[0].BotID, "/tournaments/" + cup.ID}
		for _, m := range list {
			api, page := "/v1/matches/"+m.ID, "/matches/"+m.ID
			paths = append(paths, api, api+"/replay", api+"/decisions?seat=0", page, page+"?step=2", page+"/frames")
		}
		read := func() (out [][]byte) {
			for _, path := range paths {
				out = append(out, w.get("owner", path).want(200, "").body)
			}
			return out
		}
		before := read()
		if n, err := w.store.Pack(t.Context(), 24*time.Hour, 100); err != nil || n != len(list) {
			t.Fatalf("%d packed (%v), want all %d", n, err, len(list))
		}
		for i, after := range read() {
			if !bytes.Equal(before[i], after) {
				t.Errorf("%s differs:\n%.2000s\nwas\n%.2000s", paths[i], after, before[i])
			}
		}
	})
}
