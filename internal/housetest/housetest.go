package housetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// Find returns a house bot that there is.
func Find(t testing.TB, name string) house.Bot {
	t.Helper()
	b, ok := house.Find(name)
	if !ok {
		t.Fatalf("there is no house bot %q", name)
	}
	return b
}

// Ask returns what a house bot answers to a turn; an error ends the test.
func Ask(t testing.TB, name string, turn *protocol.Turn) protocol.Answer {
	t.Helper()
	a, err := Find(t, name).Decide(1)(context.Background(), turn)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a
}

// Choice returns the entry of the offer that a house bot chooses; an answer that names none ends the test.
func Choice(t testing.TB, name string, turn *protocol.Turn) int {
	t.Helper()
	a := Ask(t, name, turn)
	if a.Choose == nil {
		t.Fatalf("%s answers %+v, want an entry of the offer", name, a)
	}
	return *a.Choose
}

// Play plays one match in process: every seat sees only what the wire would show it. An error ends the test.
func Play(t testing.TB, e game.Engine, config string, seed uint64, seats []kit.Decide) game.Result {
	t.Helper()
	canonical, err := e.Configure(json.RawMessage(config), len(seats))
	must.OK(t, err)
	table, events, err := e.New(canonical, len(seats), house.Seed(seed))
	must.OK(t, err)
	m, err := house.Play(context.Background(), e, canonical, table, events, seats)
	if err != nil {
		t.Fatalf("%s %s, %d seats, seed %d: %v", e.Info().ID, config, len(seats), seed, err)
	}
	return m.Result
}
