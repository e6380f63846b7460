package replay

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// Limits of a record; anything larger is refused before it is kept. A match of 66,607 steps makes 20 MB. What is kept of a line takes
// memory by its values, too: a small file can hold very many.
const (
	maxLineBytes = 4 << 20
	maxBytes     = 64 << 20
	maxLines     = 1 << 18
	maxValues    = 1 << 23
)

// ErrReplay is wrapped by every refusal; the text names the step.
var ErrReplay = errors.New("bad_replay")

// Record is a verified record.
type Record struct {
	Header  Header
	Steps   []Step // Steps[0] is the deal
	Result  game.Result
	Retired game.Seats
	Seed    game.Seed
	Nonce   [16]byte

	engine game.Engine // whose rules it was verified by
}

// Step is one line of a record.
type Step struct {
	Step   int               `json:"step"`
	Turns  []Turn            `json:"turns,omitempty"`
	Events []json.RawMessage `json:"events"` // flat, with their audience
	State  string            `json:"state"`  // hex
	Hash   string            `json:"hash"`   // hex
}

// Verify reads a record, gzipped or plain, and plays it again: the hash chain, the commitment, every event, every state,
// every house action and the result must be what the rules give. find looks an engine up by its id.
func Verify(r io.Reader, find func(id string) (game.Engine, bool)) (*Record, error) {
	lines, err := readLines(r)
	if err != nil {
		return nil, err
	}
	rec, err := parse(lines)
	if err != nil {
		return nil, err
	}
	return rec, rec.verify(find)
}

// place names a line for people: the header, a step, or the end.
func place(i, last int) string {
	switch i {
	case 0:
		return "header"
	case last:
		return "end"
	}
	return fmt.Sprintf("step %d", i-1)
}

func readLines(r io.Reader) ([][]byte, error) {
	in := bufio.NewReader(r)
	if magic, _ := in.Peek(2); len(magic) > 0 && bytes.HasPrefix([]byte{0x1f, 0x8b}, magic) {
		z, err := gzip.NewReader(in)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, cutShort(0)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: gzip: %w", ErrReplay, err)
		}
		in = bufio.NewReader(z)
	}
	scan := bufio.NewScanner(io.LimitReader(in, maxBytes+1))
	scan.Buffer(nil, maxLineBytes)
	ended := true // whether the line read last ends with a newline
	scan.Split(func(data []byte, atEOF bool) (int, []byte, error) {
		n, line, err := bufio.ScanLines(data, atEOF)
		if line != nil {
			ended = data[n-1] == '\n'
		}
		return n, line, err
	})
	var lines [][]byte
	total, values := 0, 0
	for scan.Scan() {
		line := scan.Bytes()
		total += len(line) + 1
		if len(lines) == 0 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // which editors of Windows write
		}
		values += 1 + bytes.Count(line, []byte(",")) + bytes.Count(line, []byte("{"))
		switch {
		case len(lines) == 0 && !bytes.HasPrefix(line, []byte("{")):
			return nil, fmt.Errorf("%w: is no record: it does not begin with a header", ErrReplay)
		case len(line) == 0:
			return nil, fmt.Errorf("%w: line %d is empty", ErrReplay, len(lines)+1)
		case total > maxBytes:
			return nil, fmt.Errorf("%w: larger than %d bytes", ErrReplay, maxBytes)
		case len(lines) == maxLines:
			return nil, fmt.Errorf("%w: more than %d lines", ErrReplay, maxLines)
		case values > maxValues:
			return nil, fmt.Errorf("%w: more than %d values", ErrReplay, maxValues)
		}
		lines = append(lines, bytes.Clone(line))
	}
	switch err := scan.Err(); {
	case errors.Is(err, io.ErrUnexpectedEOF):
		if !ended {
			lines = lines[:len(lines)-1]
		}
		return nil, cutShort(len(lines))
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%w: line %d is longer than %d bytes", ErrReplay, len(lines)+1, maxLineBytes)
	case err != nil:
		return nil, fmt.Errorf("%w: line %d: %w", ErrReplay, len(lines)+1, err)
	}
	return lines, checkWhole(lines, ended)
}

// checkWhole refuses a record whose file ends before the record does. ended reports whether its last line has a newline.
func checkWhole(lines [][]byte, ended bool) error {
	last := len(lines) - 1
	switch {
	case last < 0:
		return cutShort(0)
	case !ended && endsEarly(lines[last]):
		return cutShort(last)
	case bytes.HasPrefix(lines[last], []byte(`{"step":`)), last == 0 && bytes.HasPrefix(lines[0], []byte(`{"format":"`+Format+`"`)):
		return cutShort(len(lines))
	case last < 2:
		return fmt.Errorf("%w: %s; a record has a header, a deal and an end", ErrReplay, game.Plural(len(lines), "line"))
	}
	return nil
}

// endsEarly reports whether a line ends before its JSON value does.
func endsEarly(line []byte) bool {
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(line)).Decode(&v), io.ErrUnexpectedEOF)
}

// cutShort refuses a record of which only the first lines are whole.
func cutShort(whole int) error {
	where := "before its header ends"
	switch {
	case whole == 1:
		where = "after its header"
	case whole > 1:
		where = fmt.Sprintf("after step %d", whole-2)
	}
	return fmt.Errorf("%w: is cut short %s; copy or download it again", ErrReplay, where)
}

// parse checks the chain over the raw bytes first, so that any change of any line is named by its step.
func parse(lines [][]byte) (*Record, error) {
	last := len(lines) - 1
	prev, covered := sha256.Sum256(lines[0]), []byte(nil)
	for i, line := range lines[1:] {
		cut := bytes.LastIndex(line, []byte(`,"hash"`))
		if cut < 0 {
			return nil, fmt.Errorf("%w: %s: has no hash", ErrReplay, place(i+1, last))
		}
		covered = append(append(covered[:0], prev[:]...), line[:cut]...)
		prev = sha256.Sum256(covered)
		if want := `,"hash":"` + hex.EncodeToString(prev[:]) + `"}`; string(line[cut:]) != want {
			return nil, fmt.Errorf("%w: %s: the hash does not fit the line (or one before it)", ErrReplay, place(i+1, last))
		}
	}
	rec := &Record{Steps: make([]Step, 0, last)}
	if err := strict.Decode(lines[0], &rec.Header); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrReplay, err)
	}
	for i := 1; i < last; i++ {
		var s Step
		if err := strict.Decode(lines[i], &s); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrReplay, place(i, last), err)
		}
		if s.Step != i-1 {
			return nil, fmt.Errorf("%w: %s: is numbered %d", ErrReplay, place(i, last), s.Step)
		}
		rec.Steps = append(rec.Steps, s)
	}
	var e struct {
		end
		Hash string `json:"hash"`
	}
	if err := strict.Decode(lines[last], &e); err != nil {
		return nil, fmt.Errorf("%w: end: %w", ErrReplay, err)
	}
	nonce, err := hex.DecodeString(e.Nonce)
	if err != nil || len(nonce) != len(rec.Nonce) {
		return nil, fmt.Errorf("%w: end: nonce: want %d hex digits", ErrReplay, 2*len(rec.Nonce))
	}
	rec.Result, rec.Retired, rec.Seed, rec.Nonce = e.Result, e.Retired, e.Seed, [16]byte(nonce)
	return rec, nil
}

// verify plays the record again and compares.
func (rec *Record) verify(find func(id string) (game.Engine, bool)) error {
	h := rec.Header
	if h.Format != Format {
		return fmt.Errorf("%w: header: format %q, this program reads %q", ErrReplay, h.Format, Format)
	}
	engine, ok := find(h.Game)
	if !ok {
		return fmt.Errorf("%w: header: no game %q here", ErrReplay, h.Game)
	}
	if v := engine.Info().Version; v != h.RulesVersion {
		return fmt.Errorf("%w: header: rules %d of %s, this program has %d: use the release that played it (%s)", ErrReplay, h.RulesVersion, h.Game, v, h.Engine)
	}
	if want := rec.Seed.Commit(rec.Nonce); hex.EncodeToString(want[:]) != h.Commitment {
		return fmt.Errorf("%w: end: seed and nonce do not open the commitment of the header", ErrReplay)
	}
	rec.engine = engine
	return rec.Play(func(p *Player) error {
		if p.Step() < len(rec.Steps)-1 {
			return nil
		}
		result, over := p.Table().Result()
		if !over {
			return fmt.Errorf("%w: end: the match is not over after step %d", ErrReplay, p.Step())
		}
		if !reflect.DeepEqual(result, rec.Result) {
			return fmt.Errorf("%w: end: the rules give the result %s", ErrReplay, encode(result))
		}
		return nil
	})
}
