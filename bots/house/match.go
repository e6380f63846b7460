package house

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// Match is one match played in process, without clocks, faults or records.
type Match struct {
	Result    game.Result
	Steps     int
	Decisions int
}

// Play plays a dealt table to its end, a player a seat: each is shown what the wire would show it (view, offer, its events,
// its memo) and nothing else. config is canonical; opening is the events of the deal. An error of a
// player, an illegal action or words where none are allowed end the match with that error.
func Play(ctx context.Context, e game.Engine, config json.RawMessage, table game.Table, opening []game.Event, players []kit.Decide) (Match, error) {
	x := session{info: e.Info(), config: config, table: table, heard: make([][]json.RawMessage, len(players)), seats: make([]player, len(players))}
	for i, decide := range players {
		x.seats[i].decide = decide
	}
	protocol.Hear(x.heard, opening)
	m := Match{}
	for due := table.Due(); due != 0; due = table.Due() {
		turns := make([]game.Turn, 0, due.Len())
		for seat := range due.Each() {
			turn, err := x.turn(ctx, seat)
			if err != nil {
				return m, fmt.Errorf("step %d, seat %d: %w", table.Step(), seat, err)
			}
			turns = append(turns, turn)
		}
		events, err := table.Apply(turns)
		if err != nil {
			return m, err
		}
		protocol.Hear(x.heard, events)
		m.Decisions += len(turns)
	}
	m.Result, _ = table.Result()
	m.Steps = table.Step()
	return m, nil
}

// Answer returns the action that a player takes for a due seat, from what the seat sees now: no events, no memo.
func Answer(ctx context.Context, info game.Info, table game.Table, seat game.Seat, decide kit.Decide) (json.RawMessage, error) {
	n := table.Seats()
	x := session{info: info, config: table.Config(), table: table, heard: make([][]json.RawMessage, n), seats: make([]player, n)}
	x.seats[seat].decide = decide
	turn, err := x.turn(ctx, seat)
	return turn.Action, err
}

// session is a match in progress.
type session struct {
	info   game.Info
	config json.RawMessage
	table  game.Table
	heard  [][]json.RawMessage // by seat, for its next turn
	seats  []player
}

// player holds how a seat decides, and the actions that it sent ahead.
type player struct {
	decide kit.Decide
	memo   string
	ahead  ahead
}

// turn returns the next action of a seat: one that it sent ahead, or its answer.
func (x *session) turn(ctx context.Context, seat game.Seat) (game.Turn, error) {
	c := &x.seats[seat]
	if action, ok := c.ahead.take(x.table, seat); ok {
		return game.Turn{Seat: seat, Action: action}, nil
	}
	turn := protocol.Turn{
		Protocol: protocol.Version, Type: protocol.TypeTurn, Game: x.info.ID, RulesVersion: x.info.Version, Config: x.config,
		Seat: seat, Step: x.table.Step(), Decision: strconv.Itoa(x.table.Step()), Events: x.heard[seat],
		View: x.table.View(seat), Offer: x.table.Offer(seat), Memo: c.memo,
	}
	for other := range game.FirstSeats(len(x.seats)).Without(seat).Each() {
		turn.Opponents = append(turn.Opponents, protocol.Opponent{Seat: other, Alias: "seat " + strconv.Itoa(int(other))})
	}
	answer, err := c.decide(ctx, &turn)
	if err != nil {
		return game.Turn{}, err
	}
	action, err := kit.Chosen(turn.Offer, answer)
	if err != nil {
		return game.Turn{}, err
	}
	x.heard[seat] = nil
	c.memo = answer.Memo
	c.ahead = ahead{answer.Then, x.table.Step() + 1}
	return game.Turn{Seat: seat, Action: action, Say: answer.Say}, nil
}

// ahead holds the actions that a seat has sent ahead, and the step of the next.
type ahead struct {
	list []json.RawMessage
	step int
}

// take returns the next action sent ahead, as the runner takes it: in the very next step, if it is legal then.
func (x *ahead) take(table game.Table, seat game.Seat) (json.RawMessage, bool) {
	if len(x.list) == 0 || x.step != table.Step() || table.Check(game.Turn{Seat: seat, Action: x.list[0]}) != nil {
		*x = ahead{}
		return nil, false
	}
	action := x.list[0]
	x.list, x.step = x.list[1:], x.step+1
	return action, true
}

// Won reports whether a seat has won: it ranks first, alone or shared, and no free agent of CIA took the match from everybody.
func Won(r game.Result, seat game.Seat) bool { return r.Rank[seat] == 1 && r.Why != "free_agent" }

// Seed spreads a number to the seed of a match.
func Seed(n uint64) game.Seed {
	var seed game.Seed
	binary.LittleEndian.PutUint64(seed[:], n)
	return seed
}
