package console

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// atTable answers the ops that need a table.
func (c *console) atTable(op string, line []byte) ([]byte, error) {
	switch op {
	case "apply":
		return c.apply(line)
	case "check":
		return c.check(line)
	case "resample":
		return c.resample(line)
	case "hash", "snapshot", "reveal":
		if err := bare(line); err != nil {
			return nil, err
		}
		switch op {
		case "hash":
			return field("hash", fmt.Sprintf("%x", c.table.Hash())), nil
		case "snapshot":
			return field("snapshot", c.table.Snapshot()), nil // JSON writes bytes as base64
		}
		return field("state", c.table.Reveal()), nil
	}
	return c.seated(op, line)
}

// seated answers the ops that take a seat and nothing else.
func (c *console) seated(op string, line []byte) ([]byte, error) {
	var r struct {
		Op   string `json:"op"`
		Seat int    `json:"seat"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	lowest := game.Spectator
	if op == "offer" || op == "house" || op == "numbers" || op == "observe" {
		lowest = 0
	}
	seat, err := seatOf(r.Seat, lowest, c.table.Seats())
	if err != nil {
		return nil, err
	}
	switch op {
	case "view":
		return field("view", c.table.View(seat)), nil
	case "offer":
		return field("offer", c.table.Offer(seat)), nil
	case "house":
		if !c.table.Due().Has(seat) {
			return nil, fmt.Errorf("%w: seat %d is not due", game.ErrSeats, seat)
		}
		return field("action", c.table.House(seat)), nil
	case "numbers", "observe":
		return c.numbered(op, seat)
	case "draw":
		svg, err := c.table.Draw(seat, nil)
		if err != nil {
			return nil, err
		}
		return field("svg", string(svg)), nil
	}
	text, err := game.TurnWords(c.table, seat, c.heard[seat])
	if err != nil {
		return nil, err
	}
	return field("text", text), nil
}

// numbered answers what the table looks like as numbers.
func (c *console) numbered(op string, seat game.Seat) ([]byte, error) {
	if c.coded == nil || c.coded.Sit(c.table) != nil {
		coded, err := c.engine.Numbered(c.table.Config(), c.table.Seats())
		if err != nil {
			return nil, err
		}
		if err := coded.Sit(c.table); err != nil {
			return nil, err
		}
		c.coded = coded
	}
	if op == "observe" {
		return field("observation", c.coded.Observe(seat, nil)), nil
	}
	r := struct {
		OK      bool              `json:"ok"`
		Numbers []uint16          `json:"numbers"`
		Actions []json.RawMessage `json:"actions"`
	}{true, []uint16{}, []json.RawMessage{}}
	if c.table.Due().Has(seat) {
		for c.coded.Asked() != seat { // those before it choose anything: none sees what the others choose
			c.coded.House()
		}
		r.Numbers, r.Actions = c.coded.Choices(), c.coded.Actions()
	}
	return encode(r), nil
}

func (c *console) check(line []byte) ([]byte, error) {
	var r struct {
		Op     string          `json:"op"`
		Seat   int             `json:"seat"`
		Action json.RawMessage `json:"action"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	seat, err := seatOf(r.Seat, 0, c.table.Seats())
	if err != nil {
		return nil, err
	}
	if err := c.table.Check(game.Turn{Seat: seat, Action: r.Action}); err != nil {
		return nil, err
	}
	return []byte(`{"ok":true}`), nil
}

func (c *console) apply(line []byte) ([]byte, error) {
	var r struct {
		Op    string      `json:"op"`
		Turns []game.Turn `json:"turns"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	events, err := c.table.Apply(r.Turns)
	if err != nil {
		return nil, err
	}
	for _, turn := range r.Turns {
		delete(c.heard, turn.Seat)
	}
	return c.standing(events), nil
}

func (c *console) deal(line []byte, keys map[string]json.RawMessage) ([]byte, error) {
	var r struct {
		Op     string          `json:"op"`
		Seats  int             `json:"seats,omitempty"`
		Seed   string          `json:"seed"`
		Config json.RawMessage `json:"config,omitempty"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	seats, err := seatsOf(c.engine, r.Seats, keys)
	if err != nil {
		return nil, err
	}
	seed, err := game.ParseSeed(r.Seed)
	if err != nil {
		return nil, err
	}
	table, events, err := c.engine.New(r.Config, seats, seed)
	if err != nil {
		return nil, err
	}
	return c.sit(table, events), nil
}

func (c *console) guess(line []byte, keys map[string]json.RawMessage) ([]byte, error) {
	var r struct {
		Op     string          `json:"op"`
		Seat   int             `json:"seat"`
		View   json.RawMessage `json:"view"`
		Config json.RawMessage `json:"config,omitempty"`
		Seats  int             `json:"seats,omitempty"`
		Seed   string          `json:"seed"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	seats, err := seatsOf(c.engine, r.Seats, keys)
	if err != nil {
		return nil, err
	}
	seat, err := seatOf(r.Seat, game.Spectator, seats)
	if err != nil {
		return nil, err
	}
	seed, err := game.ParseSeed(r.Seed)
	if err != nil {
		return nil, err
	}
	table, err := c.engine.StateFromView(r.Config, seats, seat, r.View, seed)
	if err != nil {
		return nil, err
	}
	return c.sit(table, nil), nil
}

func (c *console) restore(line []byte) ([]byte, error) {
	var r struct {
		Op       string `json:"op"`
		Snapshot string `json:"snapshot"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	snapshot, err := base64.StdEncoding.Strict().DecodeString(r.Snapshot)
	if err != nil {
		return nil, fmt.Errorf("%w: it is not base64: %w", game.ErrSnapshot, err)
	}
	table, err := c.engine.Restore(snapshot)
	if err != nil {
		return nil, err
	}
	return c.sit(table, nil), nil
}

func (c *console) resample(line []byte) ([]byte, error) {
	var r struct {
		Op   string `json:"op"`
		Seat int    `json:"seat"`
		Seed string `json:"seed"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	seat, err := seatOf(r.Seat, game.Spectator, c.table.Seats())
	if err != nil {
		return nil, err
	}
	seed, err := game.ParseSeed(r.Seed)
	if err != nil {
		return nil, err
	}
	return c.sit(c.table.Resample(seat, seed), nil), nil
}

// sit replaces the table: nobody has heard anything yet but the events.
func (c *console) sit(table game.Table, events []game.Event) []byte {
	c.table, c.heard = table, map[game.Seat][]game.Event{}
	return c.standing(events)
}

// standing returns the reply of the ops that change or replace the table, and has the seats hear the events.
func (c *console) standing(events []game.Event) []byte {
	for seat := range game.Seat(c.table.Seats()) {
		for _, e := range events {
			if e.VisibleTo(seat) {
				c.heard[seat] = append(c.heard[seat], e)
			}
		}
	}
	r := struct {
		OK     bool         `json:"ok"`
		Step   int          `json:"step"`
		Due    game.Seats   `json:"due"`
		Events []game.Event `json:"events"`
		Result *game.Result `json:"result"`
	}{OK: true, Step: c.table.Step(), Due: c.table.Due(), Events: events}
	if r.Events == nil {
		r.Events = []game.Event{}
	}
	if result, over := c.table.Result(); over {
		r.Result = &result
	}
	return encode(r)
}

// seatsOf returns the number of seats asked for; it may be left out where the game has one table size only.
func seatsOf(engine game.Engine, asked int, keys map[string]json.RawMessage) (int, error) {
	if _, given := keys["seats"]; given {
		return asked, nil
	}
	info := engine.Info()
	if info.MinSeats != info.MaxSeats {
		return 0, fmt.Errorf("%w: at /seats: is missing: %s takes %d to %d", errRequest, info.ID, info.MinSeats, info.MaxSeats)
	}
	return info.MinSeats, nil
}

func seatOf(n int, lowest game.Seat, seats int) (game.Seat, error) {
	if n < int(lowest) || n >= seats {
		return 0, fmt.Errorf("%w: there is no seat %d: want %d to %d", game.ErrSeats, n, lowest, seats-1)
	}
	return game.Seat(n), nil
}

// bare reads a request that has no key but op.
func bare(line []byte) error {
	return read(line, &struct {
		Op string `json:"op"`
	}{})
}

func read(line []byte, request any) error {
	if err := strict.Decode(line, request); err != nil {
		return fmt.Errorf("%w: %w", errRequest, err)
	}
	return nil
}
