package review

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/review/report"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/housetest"
	"github.com/molerun/molerun/internal/must"
)

// nightly reports whether the numbers of the night are asked for.
func nightly() bool { return os.Getenv("MOLERUN_NIGHTLY") == "1" }

// tape is a table that keeps the turns played on it.
type tape struct {
	game.Table
	steps [][]game.Turn
}

func (t *tape) Apply(turns []game.Turn) ([]game.Event, error) {
	t.steps = append(t.steps, turns)
	return t.Table.Apply(turns)
}

// record plays a match of house bots, the same in every seat, and returns its verified record. spoil may change what a seat does;
// nil does not.
func record(t *testing.T, e game.Engine, config, bot string, seats int, seed uint64, spoil func(*protocol.Turn, protocol.Answer) protocol.Answer) *replay.Record {
	t.Helper()
	canonical, err := e.Configure(json.RawMessage(config), seats)
	must.OK(t, err)
	deal := house.Seed(seed)
	table, opening, err := e.New(canonical, seats, deal)
	must.OK(t, err)
	players := make([]kit.Decide, seats)
	for i := range players {
		decide := housetest.Find(t, bot).Decide(seed + uint64(i))
		players[i] = func(ctx context.Context, turn *protocol.Turn) (protocol.Answer, error) {
			answer, err := decide(ctx, turn)
			if err == nil && spoil != nil {
				answer = spoil(turn, answer)
			}
			return answer, err
		}
	}
	played := &tape{Table: table}
	_, err = house.Play(t.Context(), e, canonical, played, opening, players)
	must.OK(t, err)
	var steps [][]replay.Turn
	for _, turns := range played.steps {
		var step []replay.Turn
		for _, turn := range turns {
			step = append(step, replay.Turn{Seat: turn.Seat, Action: turn.Action, By: replay.ByBot})
		}
		steps = append(steps, step)
	}
	return sealed(t, e, canonical, seats, deal, steps)
}

// sealed returns the verified record of a match in which these turns were played.
func sealed(t *testing.T, e game.Engine, config json.RawMessage, seats int, deal game.Seed, steps [][]replay.Turn) *replay.Record {
	t.Helper()
	commitment := deal.Commit([16]byte{})
	p, err := replay.Deal(e, replay.Header{
		Format: replay.Format, Match: "m", Game: e.Info().ID, RulesVersion: e.Info().Version, Config: config,
		Seats: make([]replay.Seat, seats), Commitment: hex.EncodeToString(commitment[:]),
	}, deal)
	must.OK(t, err)
	var file bytes.Buffer
	write := func(line []byte) { file.Write(append(bytes.Clone(line), '\n')) }
	write(p.Header())
	write(p.Line())
	for _, step := range steps {
		must.OK(t, p.Play(step))
		write(p.Line())
	}
	write(p.End(0, deal, [16]byte{}))
	rec, err := replay.Verify(&file, catalog.Find)
	must.OK(t, err)
	return rec
}

// What the house decided for a bot that had failed is named as such, and says nothing about the bot.
func TestTheHousesDecisionsAreNotTheBots(t *testing.T) {
	t.Parallel()
	e, _ := catalog.Find("molehill")
	config, err := e.Configure(nil, 2)
	must.OK(t, err)
	deal := house.Seed(3)
	table, _, err := e.New(config, 2, deal)
	must.OK(t, err)
	var steps [][]replay.Turn
	own := 0
	for table.Due() != 0 {
		seat := table.Due().Lowest()
		turn := replay.Turn{Seat: seat, Action: table.House(seat), By: replay.ByBot}
		if seat == 0 && table.Step()%3 == 0 {
			turn.By, turn.Why = replay.ByHouse, "timeout"
		} else if seat == 0 {
			own++
		}
		steps = append(steps, []replay.Turn{turn})
		_, err := table.Apply(replay.GameTurns(steps[len(steps)-1]))
		must.OK(t, err)
	}
	rec := sealed(t, e, config, 2, deal, steps)
	reviewed := func() (*report.Report, int) {
		r, err := Review(t.Context(), e, rec, Options{Playouts: LeastPlayouts, Seats: []game.Seat{0}})
		must.OK(t, err)
		counted := 0
		for _, p := range r.Seats[0].Phases {
			counted += p.Decisions
		}
		return r, counted
	}
	rec.Header.Fork = &replay.Fork{Step: len(steps) - 1} // as if all but the last were another match's
	if _, counted := reviewed(); counted > 1 {
		t.Errorf("the accuracy is of %d decisions, most of which a fork has taken over", counted)
	}
	rec.Header.Fork = nil
	r, counted := reviewed()
	if counted != own || len(r.Decisions) == own {
		t.Errorf("the accuracy is of %d decisions, want the %d of the bot's own, of %d", counted, own, len(r.Decisions))
	}
	for _, d := range r.Decisions {
		if d.House != strings.HasSuffix(d.Words, ", as the house decided") {
			t.Errorf("step %d, by the house %v: %q", d.Step, d.House, d.Words)
		}
	}
}
