package game_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func midway(t *testing.T) game.Table {
	t.Helper()
	table := newToy(t, toy{}, 3)
	if _, err := table.Apply([]game.Turn{name(0, 8), name(1, 2), name(2, 3)}); err != nil {
		t.Fatal(err)
	}
	return table
}

func TestADamagedSnapshotIsRefused(t *testing.T) {
	e, whole := game.Wrap(toy{}), midway(t).Snapshot()
	refused := func(what string, b []byte) {
		if _, err := e.Restore(b); !errors.Is(err, game.ErrSnapshot) {
			t.Errorf("%s: got %v, want bad_snapshot", what, err)
		}
	}
	for i := range whole {
		for _, flip := range []byte{1, 0x20, 0x80, 0xff} {
			b := bytes.Clone(whole)
			b[i] ^= flip
			refused("a flipped byte", b)
		}
		refused("cut off", whole[:i])
	}
	refused("a byte too many", append(bytes.Clone(whole), 0))
	refused("twice", append(bytes.Clone(whole), whole...))
}

// TestAForgedSnapshotIsRefused: the checksum fits, but not what it sums.
func TestAForgedSnapshotIsRefused(t *testing.T) {
	whole := string(midway(t).Snapshot())
	body := whole[:len(whole)-sha256.Size]
	for _, row := range []struct{ old, new, want string }{
		{`"snapshot/1"`, `"snapshot/2"`, "want snapshot/1 of toy rules 3, got snapshot/2"},
		{`"game":"toy"`, `"game":"boy"`, "got snapshot/1 of boy"},
		{`"rules_version":3`, `"rules_version":2`, "of toy rules 2"},
		{`"rounds":2`, `"rounds":10`, "rounds: want 1 to 9"},
		{`"rounds":2`, `"rounds":2,"x":1`, "at /x: is not a known key"},
		{`"config":{"rounds":2}`, `"config":null`, "must not be null"},
		{`"seats":3`, `"seats":5`, "seats: want 2 to 4"},
		{`"seats":3`, `"seats":null`, "at /seats: must not be null"},
		{`"step":1`, `"step":-1`, "(step -1)"},
		{`"step":1`, `"step":1,"extra":1`, "at /extra: is not a known key"},
		{`"seed":"01`, `"seed":"zz`, "want 64 hex digits"},
		{`"seed":"01` + strings.Repeat("0", 62) + `"`, `"seed":null`, "at /seed: must not be null"},
		{"}\n", "}\n\x00", "bytes of state"},
		{"}\n", "}", "header"},
		{`{"format"`, `["format"`, "header"},
	} {
		forged := strings.Replace(body, row.old, row.new, 1)
		if forged == body {
			t.Fatalf("%s is not in the snapshot", row.old)
		}
		sum := sha256.Sum256([]byte(forged))
		if _, err := game.Wrap(toy{}).Restore(append([]byte(forged), sum[:]...)); !errors.Is(err, game.ErrSnapshot) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s → %s: got %v, want bad_snapshot with %q", row.old, row.new, err, row.want)
		}
	}
}
