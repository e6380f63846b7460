package coins_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole/coins"
	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update", false, "write the goldens again")

// TestTrajectoriesKeepTheirBits plays fixed flicks on a board with everything on it and compares every bit of time, place and
// speed with the file. Run it on other processors too: GOAMD64=v3 fuses products with sums where it may, arm64 always does.
// Only whole numbers are computed here, so that the test itself is the same everywhere.
func TestTrajectoriesKeepTheirBits(t *testing.T) {
	const path = "testdata/trajectories.txt"
	r := game.Stream(game.Seed{7}, 0, "golden")
	var out bytes.Buffer
	for n := range 150 {
		s := board(r)
		i, mdeg, speed, lift := r.IntN(4), r.IntN(coins.FullTurn), 300+r.IntN(1500), 0
		if r.IntN(4) == 0 {
			lift = r.IntN(45_001)
		}
		s.Trace = new(coins.Trace)
		s.Flick(i, mdeg, float64(speed), lift)
		must.OK(t, s.Run())
		fmt.Fprintf(&out, "flick %d: disc %d, %d mdeg, %d mm/s, lift %d: %d events\n", n, i, mdeg, speed, lift, s.Events)
		for _, x := range s.Trace.Segments {
			fmt.Fprintf(&out, "  %d %v", x.Disc, x.Air)
			for _, f := range []float64{x.T0, x.T1, x.From.X, x.From.Y, x.To.X, x.To.Y, x.V0, x.V1, x.Z0, x.VZ0} {
				fmt.Fprintf(&out, " %016x", math.Float64bits(f))
			}
			out.WriteByte('\n')
		}
	}
	if *update {
		must.OK(t, os.WriteFile(path, out.Bytes(), 0o600))
	}
	want, err := os.ReadFile(path)
	must.OK(t, err)
	got, old := bytes.Split(out.Bytes(), []byte("\n")), bytes.Split(want, []byte("\n"))
	for k := range min(len(got), len(old)) {
		if !bytes.Equal(got[k], old[k]) {
			t.Fatalf("line %d:\ngot  %s\nwant %s\n(rewrite with -update, raise the rules version and say why)", k+1, got[k], old[k])
		}
	}
	if len(got) != len(old) {
		t.Fatalf("got %d lines, want %d", len(got), len(old))
	}
}

// board is four coins at random on a board with a ramp, a wall and a gate; all measures are whole µm.
func board(r *game.Rand) *coins.Sim {
	s := &coins.Sim{Scene: coins.Scene{W: 300, H: 450, Decel: 2452.5, CoinBounce: .75, WallBounce: .6}, N: 4}
	s.Walls[0], s.NWalls = coins.NewWall(coins.Vec{X: 125, Y: 350}, coins.Vec{X: 175, Y: 353}), 1
	s.Posts[0], s.Posts[1], s.NPosts = coins.Post{At: coins.Vec{X: 35, Y: 365}, R: 8}, coins.Post{At: coins.Vec{X: 95, Y: 365}, R: 8}, 2
	s.Ramp = coins.Ramp{On: true, Quarter: 1, Lip: 205, From: 125, To: 175}
	s.Ramp.Sin, s.Ramp.Cos = coins.SinCos(35_000)
	var at [4][2]int
	for i := range s.N {
		s.Discs[i] = coins.Disc{R: 10.15, Mass: 3.56, Thick: 1.52}
		if i == 0 {
			s.Discs[i] = coins.Disc{R: 12.95, Mass: 7.12, Thick: 1.85}
		}
		for free := false; !free; {
			at[i] = [2]int{20_000 + r.IntN(260_000), 20_000 + r.IntN(300_000)}
			free = true
			for _, o := range at[:i] {
				dx, dy := at[i][0]-o[0], at[i][1]-o[1]
				free = free && dx*dx+dy*dy >= 23_100*23_100
			}
		}
		s.Discs[i].At = coins.Vec{X: float64(at[i][0]) / 1000, Y: float64(at[i][1]) / 1000}
	}
	return s
}
