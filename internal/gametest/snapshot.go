package gametest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// FuzzSnapshot is the law of forged snapshots: any bytes, under a checksum that fits, are refused as [game.ErrSnapshot] or
// are a table that can be saved and restored again.
func FuzzSnapshot(f *testing.F, e game.Engine, cases ...Case) {
	f.Helper()
	for _, c := range cases {
		err := play(e, c, Seed(0), 1<<20, func(m moment) error {
			if whole := m.table.Snapshot(); m.table.Step()%7 == 0 || m.table.Due() == 0 {
				f.Add(whole[:len(whole)-sha256.Size])
			}
			return nil
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		table, err := e.Restore(append(bytes.Clone(body), sum[:]...))
		if err != nil {
			if !errors.Is(err, game.ErrSnapshot) {
				t.Fatalf("want %v, got %v", game.ErrSnapshot, err)
			}
			return
		}
		whole := table.Snapshot()
		again, err := e.Restore(whole)
		if err != nil {
			t.Fatalf("its own snapshot: %v", err)
		}
		if again.Hash() != table.Hash() || !bytes.Equal(again.Snapshot(), whole) {
			t.Fatal("a snapshot restored and saved twice differs")
		}
	})
}
