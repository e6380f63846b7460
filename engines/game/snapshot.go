package game

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
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
	b := must(json.Marshal(snapshotHeader{snapshotFormat, info.ID, info.Version, t.config, t.seats, t.step, t.seed}))
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
	t := &table[C, S, A, V, E]{r: e.r, config: canonical, seats: h.Seats, seed: h.Seed, step: h.Step}
	if h.Step < 0 || len(state) != binary.Size(&t.s) {
		return bad("want %d bytes of state, got %d (step %d)", binary.Size(&t.s), len(state), h.Step)
	}
	if _, err := binary.Decode(state, binary.LittleEndian, &t.s); err != nil {
		return bad("state: %w", err)
	}
	return t, nil
}
