package process

import (
	"encoding/json"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/engines/game"
)

// timed returns a finder of engines whose steps it measures.
func timed(reg prometheus.Registerer, find func(id string) (game.Engine, bool)) func(id string) (game.Engine, bool) {
	took := histogram(reg, "engine_step_duration_seconds", "Time that the rules take to apply the decisions of one step.", "game", .00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .1, 1)
	return func(id string) (game.Engine, bool) {
		e, ok := find(id)
		return timedEngine{e, took.WithLabelValues(id)}, ok
	}
}

// timedEngine is an engine whose dealt tables are measured.
type timedEngine struct {
	game.Engine
	took prometheus.Observer
}

func (e timedEngine) New(config json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	t, events, err := e.Engine.New(config, seats, seed)
	return timedTable{t, e.took}, events, err
}

type timedTable struct {
	game.Table
	took prometheus.Observer
}

func (t timedTable) Apply(turns []game.Turn) ([]game.Event, error) {
	start := time.Now()
	events, err := t.Table.Apply(turns)
	t.took.Observe(time.Since(start).Seconds())
	return events, err
}
