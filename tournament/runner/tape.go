package runner

import (
	"compress/gzip"
	"fmt"
	"io"

	"github.com/molerun/molerun/engines/game/replay"
)

// Deal deals the match again; play its recorded steps on by [Step.Again].
func (s *Spec) Deal() (*replay.Player, error) {
	p, err := replay.Deal(s.Engine, s.Header, s.Seed)
	if err != nil {
		return nil, fmt.Errorf("%w: deal: %w", ErrPlatform, err)
	}
	return p, nil
}

// Hashes returns the hashes that the record of a match has after each recorded step, whatever the steps say they are: for a match some of
// whose text had to be changed.
func Hashes(s Spec) ([][32]byte, error) {
	p, err := s.Deal()
	if err != nil {
		return nil, err
	}
	all := make([][32]byte, len(s.Recorded))
	for i, step := range s.Recorded {
		if err := p.Play(step.Plain()); err != nil {
			return nil, fmt.Errorf("%w: recorded %w", ErrPlatform, err)
		}
		if step.Step != p.Step() {
			return nil, fmt.Errorf("%w: recorded step %d stands where %d is due", ErrPlatform, step.Step, p.Step())
		}
		all[i] = p.Hash()
	}
	return all, nil
}

// Write writes the record of a finished match in the format replay/1, gzipped. nonce opens the header's commitment.
func Write(w io.Writer, s Spec, nonce [16]byte) error {
	return WriteAsRead(w, s, nonce, func(each func([]Step) error) error { return each(s.Recorded) })
}

// WriteAsRead does what [Write] does for a match whose steps read hands over, in order and some at a time.
func WriteAsRead(w io.Writer, s Spec, nonce [16]byte, read func(each func([]Step) error) error) error {
	z := gzip.NewWriter(w)
	var failed error
	line := func(b []byte) {
		if failed == nil {
			_, failed = z.Write(append(b, '\n'))
		}
	}
	m, err := deal(&s)
	if err != nil {
		return err
	}
	line(m.player.Header())
	line(m.player.Line())
	err = read(func(part []Step) error { return m.again(part, func([]Decision) {}, func() { line(m.player.Line()) }) })
	if err != nil {
		return err
	}
	if _, over := m.table.Result(); !over {
		return fmt.Errorf("%w: the match is not over after step %d", ErrPlatform, m.table.Step())
	}
	line(m.player.End(m.outcome().Retired, s.Seed, nonce))
	if failed != nil {
		return failed
	}
	return z.Close()
}
