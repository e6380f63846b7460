package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// match is one match: the house bots play in a goroutine of its own, which waits wherever the model is due. The table is
// touched by that goroutine alone, but while it waits, or has ended.
type match struct {
	id      string
	engine  game.Engine
	seat    game.Seat
	table   game.Table
	players []string // names by seat

	asks    chan *protocol.Turn
	answers chan protocol.Answer
	done    chan struct{} // closed when the match has ended; then err is set
	err     error

	mu   sync.Mutex     // one call at a time
	turn *protocol.Turn // what waits for an answer; nil while the others play, and at the end
}

// play plays the match to its end, or until ctx ends.
func (m *match) play(ctx context.Context, config json.RawMessage, opening []game.Event, players []kit.Decide) {
	defer close(m.done)
	players[m.seat] = m.decide
	_, m.err = house.Play(ctx, m.engine, config, m.table, opening, players)
}

// decide hands a turn over and waits for the model.
func (m *match) decide(ctx context.Context, t *protocol.Turn) (protocol.Answer, error) {
	var a protocol.Answer
	select {
	case m.asks <- t:
	case <-ctx.Done():
		return a, ctx.Err()
	}
	select {
	case a = <-m.answers:
		return a, nil
	case <-ctx.Done():
		return a, ctx.Err()
	}
}

// wait returns when the model is due or the match is over. A call that is cancelled loses nothing: the next one waits on.
func (m *match) wait(ctx context.Context) error {
	if m.turn != nil {
		return nil
	}
	select {
	case m.turn = <-m.asks:
		return nil
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errMove marks an answer that was refused; nothing was played.
var errMove = errors.New("refused")

// act plays the model's decision.
func (m *match) act(ctx context.Context, step int, a protocol.Answer) error {
	if err := m.wait(ctx); err != nil {
		return err
	}
	switch {
	case m.turn == nil:
		return fmt.Errorf("%w: the match is over", errMove)
	case m.turn.Step != step:
		return fmt.Errorf("%w: you named step %d, but the match is at step %d; call look, then decide again", errMove, step, m.turn.Step)
	}
	action, err := kit.Chosen(m.turn.Offer, a)
	if err == nil {
		err = m.table.Check(game.Turn{Seat: m.seat, Action: action, Say: a.Say})
	}
	if err != nil {
		return fmt.Errorf("%w: %w; nothing was played, choose another action", errMove, err)
	}
	select {
	case m.answers <- a:
		m.turn = nil
	case <-m.done:
		return m.err
	}
	return m.wait(ctx)
}
