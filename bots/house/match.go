package house

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
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
	m := Match{}
	events := make([][]json.RawMessage, len(players))
	thens := make([]sent, len(players))
	memos := make([]string, len(players))
	var opponents []protocol.Opponent
	for seat := range players {
		opponents = append(opponents, protocol.Opponent{Seat: game.Seat(seat), Alias: "seat " + strconv.Itoa(seat)}) //nolint:gosec // at most 16
	}
	tell := func(list []game.Event) {
		for _, event := range list {
			for seat := range events {
				if event.Hears(game.Seat(seat)) { //nolint:gosec // at most 16
					events[seat] = append(events[seat], event.Data)
				}
			}
		}
	}
	tell(opening)
	for due := table.Due(); due != 0; due = table.Due() {
		turns := make([]game.Turn, 0, due.Len())
		for seat := range due.Each() {
			if action, ok := thens[seat].take(table, seat); ok {
				turns = append(turns, game.Turn{Seat: seat, Action: action})
				continue
			}
			turn := protocol.Turn{
				Protocol: protocol.Version, Type: protocol.TypeTurn, Game: e.Info().ID, RulesVersion: e.Info().Version, Config: config,
				Seat: seat, Opponents: slices.Delete(slices.Clone(opponents), int(seat), int(seat)+1), Step: table.Step(), Decision: strconv.Itoa(table.Step()), Events: events[seat],
				View: table.View(seat), Offer: table.Offer(seat), Memo: memos[seat],
			}
			answer, err := players[seat](ctx, &turn)
			if err != nil {
				return m, fmt.Errorf("step %d, seat %d: %w", table.Step(), seat, err)
			}
			action, err := kit.Chosen(turn.Offer, answer)
			if err != nil {
				return m, fmt.Errorf("step %d, seat %d: %w", table.Step(), seat, err)
			}
			events[seat], memos[seat], thens[seat] = nil, answer.Memo, sent{answer.Then, table.Step() + 1}
			turns = append(turns, game.Turn{Seat: seat, Action: action, Say: answer.Say})
		}
		list, err := table.Apply(turns)
		if err != nil {
			return m, err
		}
		tell(list)
		m.Decisions += len(turns)
	}
	m.Result, _ = table.Result()
	m.Steps = table.Step()
	return m, nil
}

// sent is what a seat has sent ahead, and the step it is for.
type sent struct {
	list []json.RawMessage
	step int
}

// take is the next action sent ahead, as the runner takes it: in the very next step, if it is legal then.
func (x *sent) take(table game.Table, seat game.Seat) (json.RawMessage, bool) {
	if len(x.list) == 0 || x.step != table.Step() || table.Check(game.Turn{Seat: seat, Action: x.list[0]}) != nil {
		*x = sent{}
		return nil, false
	}
	action := x.list[0]
	x.list, x.step = x.list[1:], x.step+1
	return action, true
}

// Won tells whether a seat has won: it ranks first, alone or shared, and no free agent of CIA took the match from everybody.
func Won(r game.Result, seat game.Seat) bool { return r.Rank[seat] == 1 && r.Why != "free_agent" }

// Seed spreads a number to the seed of a match.
func Seed(n uint64) (seed game.Seed) {
	binary.LittleEndian.PutUint64(seed[:], n)
	return seed
}
