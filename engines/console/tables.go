package console

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/molerun/molerun/engines/game"
)

// Opponent decides for a seat that the client does not play: the action as JSON. It may look at what the seat sees alone; its own luck
// follows from a number that each match has.
type Opponent func(table game.Table, seat game.Seat, luck uint64) (json.RawMessage, error)

// MostTables is the most tables that one console plays.
const MostTables = 4096

// ServeTables is [Serve] for n tables of one game, 1 to [MostTables], all in one request. opponents finds who plays the seats that the
// client does not, by name; "random" is the house and needs none.
func ServeTables(in io.Reader, out io.Writer, engine game.Engine, n int, opponents func(name string) (Opponent, error)) error {
	return serve(in, out, &tables{engine: engine, n: n, opponents: opponents})
}

// house is the name of the opponent that draws from the match's own seed.
const house = "random"

// tables are the matches of one client.
type tables struct {
	engine    game.Engine
	n         int
	opponents func(name string) (Opponent, error)
	setting   setting
	opponent  Opponent // nil: the house
	bytes     int      // of a number of an observation
	list      []played // empty before the first reset
	values    []int32  // of an observation, reused
	parts     [6][]byte
	reply     []byte // valid until the next one
}

// setting is what all tables have in common, and the client's seats: table i plays those of Play[i modulo its length].
type setting struct {
	Seats    int             `json:"seats"`
	Seed     game.Seed       `json:"seed"`
	Config   json.RawMessage `json:"config"`
	Play     [][]int         `json:"play"`
	Opponent string          `json:"opponent"`
}

// played is one table: its match, which of its matches that is, and what ended in the last request.
type played struct {
	match  game.Numbered
	number int
	client game.Seats
	luck   uint64 // of the opponent
	ended  uint8
	reward []float32 // by seat
}

func (x *tables) clear() { x.list = nil }

func (x *tables) answer(op string, line []byte, keys map[string]json.RawMessage) ([]byte, error) {
	switch op {
	case "info":
		if err := bare(line); err != nil {
			return nil, err
		}
		return field("info", x.engine.Info()), nil
	case "shape":
		return shape(x.engine, line, keys)
	case "reset":
		return x.reset(line, keys)
	case "restore":
		return x.restore(line)
	case "step", "copy", "snapshot":
		switch {
		case x.list == nil:
			return nil, fmt.Errorf("%w: %s needs tables: send reset or restore first", errNoTable, op)
		case op == "step":
			return x.step(line)
		case op == "copy":
			return x.copy(line)
		}
		return x.snapshot(line)
	}
	return nil, fmt.Errorf("%w: %q: want info, shape, reset, step, copy, snapshot or restore", errOp, op)
}

// shape says how many numbers actions have and what an observation holds.
func shape(engine game.Engine, line []byte, keys map[string]json.RawMessage) ([]byte, error) {
	var r struct {
		Op     string          `json:"op"`
		Seats  int             `json:"seats,omitempty"`
		Config json.RawMessage `json:"config,omitempty"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	seats, err := seatsOf(engine, r.Seats, keys)
	if err != nil {
		return nil, err
	}
	match, err := engine.Numbered(r.Config, seats)
	if err != nil {
		return nil, err
	}
	return encode(struct {
		OK       bool           `json:"ok"`
		Actions  int            `json:"actions"`
		Bytes    int            `json:"bytes"`
		Features []game.Feature `json:"features"`
	}{true, match.Size(), bytesOf(match.Features()), match.Features()}), nil
}

// bytesOf returns how many bytes hold every number of an observation: 1, 2 or 4.
func bytesOf(features []game.Feature) int {
	bytes := 1
	for _, f := range features {
		for bytes < 4 && (f.Low < -1<<(8*bytes-1) || f.High >= 1<<(8*bytes-1)) {
			bytes *= 2
		}
	}
	return bytes
}

func (x *tables) reset(line []byte, keys map[string]json.RawMessage) ([]byte, error) {
	var r struct {
		Op       string          `json:"op"`
		Seats    int             `json:"seats,omitempty"`
		Seed     string          `json:"seed"`
		Config   json.RawMessage `json:"config,omitempty"`
		Play     [][]int         `json:"play,omitempty"`
		Opponent string          `json:"opponent,omitempty"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	seats, err := seatsOf(x.engine, r.Seats, keys)
	if err != nil {
		return nil, err
	}
	seed, err := game.ParseSeed(r.Seed)
	if err != nil {
		return nil, err
	}
	made, err := x.lay(setting{seats, seed, r.Config, r.Play, r.Opponent})
	if err != nil {
		return nil, err
	}
	for i := range made.list {
		made.deal(i)
		if err := made.run(i); err != nil {
			return nil, err
		}
	}
	*x = *made
	return x.standing(), nil
}

// lay returns new tables of a setting, not yet dealt. Without seats to play the client plays all.
func (x *tables) lay(s setting) (*tables, error) {
	if len(s.Play) == 0 {
		s.Play = [][]int{{}}
		for seat := range s.Seats {
			s.Play[0] = append(s.Play[0], seat)
		}
	}
	match, err := x.engine.Numbered(s.Config, s.Seats)
	if err != nil {
		return nil, err
	}
	s.Config = match.Table().Config()
	made := &tables{
		engine: x.engine, n: x.n, opponents: x.opponents, setting: s, bytes: bytesOf(match.Features()), list: make([]played, x.n),
	}
	if s.Opponent != "" && s.Opponent != house {
		if made.opponent, err = x.opponents(s.Opponent); err != nil {
			return nil, fmt.Errorf("%w: at /opponent: %w", errRequest, err)
		}
	}
	for i := range made.list {
		t := &made.list[i]
		for k, seat := range s.Play[i%len(s.Play)] {
			if _, err := seatOf(seat, 0, s.Seats); err != nil {
				return nil, fmt.Errorf("%w: at /play/%d/%d: %w", errRequest, i%len(s.Play), k, err)
			}
			t.client = t.client.With(game.Seat(seat))
		}
		if t.client == 0 {
			return nil, fmt.Errorf("%w: at /play/%d: wants at least one seat", errRequest, i%len(s.Play))
		}
		t.match, t.reward = match.Twin(), make([]float32, s.Seats)
	}
	return made, nil
}

// deal deals the next match of table i. Its seed follows from the seed of the reset, the table and the match's number there.
func (x *tables) deal(i int) {
	t := &x.list[i]
	r, seed := game.Stream(x.setting.Seed, t.number*x.n+i, "tables"), game.Seed{}
	for k := 0; k < len(seed); k += 8 {
		binary.LittleEndian.PutUint64(seed[k:], r.Uint64())
	}
	t.match.Deal(seed)
	t.number, t.luck = t.number+1, r.Uint64()
}

// run plays table i on until the client is asked. A match that ends is followed by the next.
func (x *tables) run(i int) error {
	t := &x.list[i]
	for {
		seat := t.match.Asked()
		switch {
		case t.client.Has(seat):
			return nil
		case seat == game.Spectator:
			result, _ := t.match.Table().Result()
			addRewards(t.reward, &result)
			t.ended++
			x.deal(i)
		case x.opponent == nil:
			t.match.House()
		default:
			action, err := x.opponent(t.match.Table(), seat, t.luck)
			if err == nil {
				err = t.match.Play(action)
			}
			if err != nil {
				x.clear() // others may have been played on already
				return fmt.Errorf("%w: the tables are gone: table %d: the opponent in seat %d: %w", errOurs, i, seat, err)
			}
		}
	}
}

// addRewards adds what a result is worth to each seat: +1 for each seat beaten, −1 for each that is ahead, over the number of all other
// seats; its own team counts for nothing.
func addRewards(to []float32, r *game.Result) {
	for seat, rank := range r.Rank {
		sum, others := 0, 0
		for other, its := range r.Rank {
			if other == seat || len(r.Team) > 0 && r.Team[other] == r.Team[seat] {
				continue
			}
			others++
			switch {
			case its > rank:
				sum++
			case its < rank:
				sum--
			}
		}
		if others > 0 {
			to[seat] += float32(sum) / float32(others)
		}
	}
}

// begin forgets what ended in the last request.
func (x *tables) begin() {
	for i := range x.list {
		x.list[i].ended = 0
		clear(x.list[i].reward)
	}
}

func (x *tables) step(line []byte) ([]byte, error) {
	var r struct {
		Op      string `json:"op"`
		Actions []int  `json:"actions"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	if len(r.Actions) != x.n {
		return nil, fmt.Errorf("%w: at /actions: wants %d numbers, one a table, not %d", errRequest, x.n, len(r.Actions))
	}
	for i, action := range r.Actions {
		if m := x.list[i].match; action < 0 || action > math.MaxUint16 || !slices.Contains(m.Choices(), uint16(action)) {
			return nil, fmt.Errorf("%w: at /actions/%d: %d is none of the %d numbers that seat %d may choose", game.ErrIllegal, i, action, len(m.Choices()), m.Asked())
		}
	}
	x.begin()
	for i, action := range r.Actions {
		if err := x.list[i].match.Choose(action); err != nil {
			return nil, err
		}
		if err := x.run(i); err != nil {
			return nil, err
		}
	}
	return x.standing(), nil
}

// copy makes tables the twins of others, their luck to come included. They keep the client's seats and their own next matches.
func (x *tables) copy(line []byte) ([]byte, error) {
	var r struct {
		Op   string `json:"op"`
		From []int  `json:"from"`
		To   []int  `json:"to"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	if len(r.From) != len(r.To) {
		return nil, fmt.Errorf("%w: at /to: wants as many tables as /from, %d, not %d", errRequest, len(r.From), len(r.To))
	}
	for _, i := range slices.Concat(r.From, r.To) {
		if i < 0 || i >= x.n {
			return nil, fmt.Errorf("%w: there is no table %d: want 0 to %d", errRequest, i, x.n-1)
		}
	}
	x.begin()
	for k, to := range r.To {
		from := &x.list[r.From[k]]
		x.list[to].match.Set(from.match)
		x.list[to].luck = from.luck
		if err := x.run(to); err != nil {
			return nil, err
		}
	}
	return x.standing(), nil
}

// kept is a table in a snapshot of all.
type kept struct {
	Table  []byte            `json:"table"`
	Chosen []json.RawMessage `json:"chosen"` // in the step that is not complete
	Number int               `json:"number"`
	Luck   uint64            `json:"luck"`
}

// allKept is a snapshot of all tables.
type allKept struct {
	Setting setting `json:"setting"`
	Tables  []kept  `json:"tables"`
}

func (x *tables) snapshot(line []byte) ([]byte, error) {
	if err := bare(line); err != nil {
		return nil, err
	}
	all := allKept{Setting: x.setting}
	for _, t := range x.list {
		all.Tables = append(all.Tables, kept{t.match.Table().Snapshot(), t.match.Chosen(), t.number, t.luck})
	}
	return field("snapshot", all), nil
}

func (x *tables) restore(line []byte) ([]byte, error) {
	var r struct {
		Op       string  `json:"op"`
		Snapshot allKept `json:"snapshot"`
	}
	if err := read(line, &r); err != nil {
		return nil, err
	}
	if len(r.Snapshot.Tables) != x.n {
		return nil, fmt.Errorf("%w: at /snapshot/tables: wants %d, not %d", errRequest, x.n, len(r.Snapshot.Tables))
	}
	made, err := x.lay(r.Snapshot.Setting)
	if err != nil {
		return nil, err
	}
	for i, k := range r.Snapshot.Tables {
		table, err := x.engine.Restore(k.Table)
		if err != nil {
			return nil, fmt.Errorf("at /snapshot/tables/%d: %w", i, err)
		}
		t := &made.list[i]
		t.number, t.luck = k.Number, k.Luck
		if err := t.match.Sit(table); err != nil {
			return nil, err
		}
		for _, action := range k.Chosen {
			if err := t.match.Play(action); err != nil {
				return nil, err
			}
		}
		if err := made.run(i); err != nil {
			return nil, err
		}
	}
	*x = *made
	return x.standing(), nil
}

// partKeys are the arrays of a standing, in the order of tables.parts.
var partKeys = [...]string{"seat", "ended", "reward", "observation", "count", "numbers"}

// standing returns the reply of the ops that change the tables: arrays, little-endian, in base64, table after table.
func (x *tables) standing() []byte {
	for i := range x.parts {
		x.parts[i] = x.parts[i][:0]
	}
	seats, ended, rewards, seen, counts, numbers := &x.parts[0], &x.parts[1], &x.parts[2], &x.parts[3], &x.parts[4], &x.parts[5]
	for i := range x.list {
		t := &x.list[i]
		*seats, *ended = append(*seats, byte(t.match.Asked())), append(*ended, t.ended)
		for _, reward := range t.reward {
			*rewards = binary.LittleEndian.AppendUint32(*rewards, math.Float32bits(reward))
		}
		x.values = t.match.Observe(t.match.Asked(), x.values[:0])
		*seen = appendNumbers(*seen, x.values, x.bytes)
		choices := t.match.Choices()
		*counts = binary.LittleEndian.AppendUint16(*counts, uint16(len(choices)))
		for _, n := range choices {
			*numbers = binary.LittleEndian.AppendUint16(*numbers, n)
		}
	}
	x.reply = append(x.reply[:0], `{"ok":true`...)
	for i, part := range x.parts {
		x.reply = append(append(append(x.reply, `,"`...), partKeys[i]...), `":"`...)
		x.reply = append(base64.StdEncoding.AppendEncode(x.reply, part), '"')
	}
	return append(x.reply, '}')
}

// appendNumbers appends each number in so many bytes.
func appendNumbers(to []byte, values []int32, bytes int) []byte {
	for _, value := range values {
		switch bytes {
		case 1:
			to = append(to, byte(value))
		case 2:
			to = binary.LittleEndian.AppendUint16(to, uint16(value))
		default:
			to = binary.LittleEndian.AppendUint32(to, uint32(value))
		}
	}
	return to
}
