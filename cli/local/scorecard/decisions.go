package scorecard

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/game/strict"
)

// Bounds of the decisions of a card, unpacked.
const (
	maxLine = 4 << 20 // of a match
	maxAll  = 64 << 20
)

// decisions writes what a subject decided in the matches of a card: gzipped, a line for each match, in the card's order, with the subject's
// turns as the record has them, but that of their clocks only what [purse] needs is kept. All else follows from the plan and the pool.
type decisions struct {
	out bytes.Buffer
	zip *gzip.Writer
}

func (d *decisions) add(m matches.Proven) error {
	mine, turns := seatsOf(m), []replay.Turn{}
	for _, step := range m.Record.Steps {
		for _, t := range step.Turns {
			if !mine.Has(t.Seat) {
				continue
			}
			if l, ok := readLedger(t); ok {
				l.ChargedUS = nil
				t.Clock, _ = json.Marshal(l) // numbers: nothing that could fail
			}
			turns = append(turns, t)
		}
	}
	e := json.NewEncoder(d.zip)
	e.SetEscapeHTML(false)
	return e.Encode(turns)
}

func (d *decisions) bytes() ([]byte, error) {
	err := d.zip.Close()
	return d.out.Bytes(), err
}

// repeated has the matches by playing them again with the subject's decisions. It refuses what is larger than a card can need.
func repeated(decided io.Reader) derivation {
	r := &reader{packed: decided}
	return derivation{
		each: func(ctx context.Context, p part, field []matches.Bot, tell func(matches.Proven) error) error {
			return p.Repeat(ctx, field, func() ([]replay.Turn, error) {
				turns, err := r.next()
				if errors.Is(err, io.EOF) {
					err = refused(errors.New("there are none of this match"))
				}
				return turns, err
			}, tell)
		},
		end: func() error {
			if _, err := r.next(); !errors.Is(err, io.EOF) {
				return errors.Join(refused(errors.New("there are more than of the matches of the card")), err)
			}
			return nil
		},
	}
}

// reader reads decisions, one match at a time.
type reader struct {
	packed io.Reader
	all    io.LimitedReader
	lines  *bufio.Scanner
}

func refused(err error) error { return fmt.Errorf("%w: the decisions: %w", card.ErrCard, err) }

// next returns the turns of the next match; [io.EOF] after the last.
func (r *reader) next() ([]replay.Turn, error) {
	if r.lines == nil {
		z, err := gzip.NewReader(r.packed)
		if err != nil {
			return nil, refused(err)
		}
		r.all = io.LimitedReader{R: z, N: maxAll + 1}
		r.lines = bufio.NewScanner(&r.all)
		r.lines.Buffer(nil, maxLine)
	}
	more := r.lines.Scan()
	switch err := r.lines.Err(); {
	case r.all.N == 0 || errors.Is(err, bufio.ErrTooLong):
		return nil, refused(fmt.Errorf("want %d bytes of a match and %d in all at most", maxLine, maxAll))
	case err != nil:
		return nil, refused(err)
	case !more:
		return nil, io.EOF
	}
	var turns []replay.Turn
	if err := strict.Decode(r.lines.Bytes(), &turns); err != nil {
		return nil, refused(err)
	}
	return turns, nil
}
