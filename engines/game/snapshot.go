package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/molerun/molerun/engines/game/strict"
)

// snapshotHeader is the readable part of a snapshot. The layout is: the header as one line of JSON, "\n", the state's
// little-endian binary form, SHA-256 of all before it.
type snapshotHeader struct {
	Format  string          `json:"format"`
	Game    string          `json:"game"`
	Version int             `json:"rules_version"`
	Config  json.RawMessage `json:"config"`
	Seats   int             `json:"seats"`
	Step    int             `json:"step"`
	Seed    Seed            `json:"seed"`
}

const snapshotFormat = "snapshot/1"

func (t *table[C, S, A, V, E]) Snapshot() []byte {
	info := t.r.Info()
	b := must(json.Marshal(snapshotHeader{
		Format:  snapshotFormat,
		Game:    info.ID,
		Version: info.Version,
		Config:  t.config,
		Seats:   t.seats,
		Step:    t.step,
		Seed:    t.seed,
	}))
	b = t.binary(append(b, '\n'))
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func (e engine[C, S, A, V, E]) Restore(snapshot []byte) (Table, error) {
	bad := func(why string, args ...any) (Table, error) {
		return nil, fmt.Errorf("%w: "+why, append([]any{ErrSnapshot}, args...)...)
	}
	if len(snapshot) < sha256.Size {
		return bad("it is too short")
	}
	body, sum := snapshot[:len(snapshot)-sha256.Size], snapshot[len(snapshot)-sha256.Size:]
	if want := sha256.Sum256(body); !bytes.Equal(want[:], sum) {
		return bad("its checksum does not fit")
	}
	line, state, _ := bytes.Cut(body, []byte("\n"))
	var h snapshotHeader
	if err := strict.Decode(line, &h); err != nil {
		return bad("header: %w", err)
	}
	if info := e.r.Info(); h.Format != snapshotFormat || h.Game != info.ID || h.Version != info.Version {
		return bad("want %s of %s rules %d, got %s of %s rules %d", snapshotFormat, info.ID, info.Version, h.Format, h.Game, h.Version)
	}
	_, canonical, err := e.read(h.Config, h.Seats)
	if err != nil {
		return bad("%w", err)
	}
	t := e.table(canonical, h.Seats, h.Seed)
	t.step = h.Step
	if h.Step < 0 || len(state) != binary.Size(&t.s) {
		return bad("want %d bytes of state, got %d (step %d)", binary.Size(&t.s), len(state), h.Step)
	}
	if _, err := binary.Decode(state, binary.LittleEndian, &t.s); err != nil {
		return bad("state: %w", err)
	}
	if err := t.sound(state); err != nil {
		return bad("the state is none of this game's: %w", err)
	}
	return t, nil
}

// sound refuses a state that no match could have: whoever forges one, checksum and all, must not bring down the program
// that reads it. It must read back the same, and bear to be looked at from every seat and played one step by the house. A
// panic there is the forger's, for a state of a match has none (gametest plays millions of them).
func (t *table[C, S, A, V, E]) sound(state []byte) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("looking at it fails: %v", p)
		}
	}()
	if !bytes.Equal(t.binary(nil), state) {
		return errors.New("it is not written as a snapshot writes it")
	}
	due, there := t.Due(), Seats(1)<<t.seats-1
	if due&^there != 0 {
		return fmt.Errorf("seats %v decide at a table of %d", due, t.seats)
	}
	t.View(Spectator)
	twin, turns := *t, make([]Turn, 0, t.seats)
	for seat := range there.Each() {
		t.View(seat)
		if due.Has(seat) {
			t.Offer(seat)
			turns = append(turns, Turn{Seat: seat, Action: t.House(seat)})
		}
	}
	if due == 0 {
		_, over := t.Result()
		if !over {
			return errors.New("nobody decides and there is no result")
		}
		return nil
	}
	if _, err = twin.Apply(turns); err == nil {
		twin.Due()
	}
	return err
}
