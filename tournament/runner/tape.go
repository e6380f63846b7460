package runner

import (
	"compress/gzip"
	"fmt"
	"io"

	"github.com/molerun/molerun/engines/game"
)

// Rerun plays the recorded steps and returns the table as it stands and all events so far, the deal's first.
func Rerun(s Spec) (game.Table, []game.Event, error) {
	var all []game.Event
	m, err := open(&s, func(_ *match, _ Step, events []game.Event) { all = append(all, events...) })
	if err != nil {
		return nil, nil, err
	}
	return m.table, all, nil
}

// Hashes are those that the record of a match has after each recorded step, whatever the steps say they are: for a match some of
// whose text had to be changed.
func Hashes(s Spec) ([][32]byte, error) {
	var all [][32]byte
	_, err := follow(&s, func(m *match, step Step, _ []game.Event) error {
		if step.Step > 0 {
			all = append(all, m.chain.Hash())
		}
		return nil
	})
	return all, err
}

// Write writes the record of a finished match in the format replay/1, gzipped. nonce opens the header's commitment.
func Write(w io.Writer, s Spec, nonce [16]byte) error {
	z := gzip.NewWriter(w)
	var failed error
	line := func(b []byte) {
		if failed == nil {
			_, failed = z.Write(append(b, '\n'))
		}
	}
	m, err := open(&s, func(m *match, step Step, _ []game.Event) {
		if step.Step == 0 {
			line(m.header)
		}
		line(m.line)
	})
	if err != nil {
		return err
	}
	o := m.outcome()
	if _, over := m.table.Result(); !over {
		return fmt.Errorf("%w: the match is not over after step %d", ErrPlatform, m.table.Step())
	}
	line(m.chain.End(o.Result, o.Retired, s.Seed, nonce))
	if failed != nil {
		return failed
	}
	return z.Close()
}
