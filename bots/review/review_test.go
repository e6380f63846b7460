package review

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/housetest"
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
	if err != nil {
		t.Fatal(err)
	}
	deal := house.Seed(seed)
	table, opening, err := e.New(canonical, seats, deal)
	if err != nil {
		t.Fatal(err)
	}
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
	if _, err := house.Play(t.Context(), e, canonical, played, opening, players); err != nil {
		t.Fatal(err)
	}
	commitment := deal.Commit([16]byte{})
	p, err := replay.Deal(e, replay.Header{
		Format: replay.Format, Match: "m", Game: e.Info().ID, RulesVersion: e.Info().Version, Config: canonical,
		Seats: make([]replay.Seat, seats), Commitment: hex.EncodeToString(commitment[:]),
	}, deal)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	write := func(line []byte) { file.Write(append(bytes.Clone(line), '\n')) }
	write(p.Header())
	write(p.Line())
	for _, turns := range played.steps {
		var step []replay.Turn
		for _, turn := range turns {
			step = append(step, replay.Turn{Seat: turn.Seat, Action: turn.Action, By: replay.ByBot})
		}
		if err := p.Play(step); err != nil {
			t.Fatal(err)
		}
		write(p.Line())
	}
	write(p.End(0, deal, [16]byte{}))
	rec, err := replay.Verify(&file, catalog.Find)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}
