package matches

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
)

// SuiteFile holds what is expected of a bot, in a folder of records: an [Expectation] a line.
const SuiteFile = "expected.jsonl"

// Expectation says what a bot should do at a turn of a recorded match. It has one of Must, MustNot and AnyOf; a turn may have several.
type Expectation struct {
	Record  string            `json:"record"` // the name of its file in the folder
	Seat    game.Seat         `json:"seat"`
	Step    int               `json:"step"` // of the record, whose turn it is
	Must    json.RawMessage   `json:"must,omitempty"`
	MustNot json.RawMessage   `json:"must_not,omitempty"` // one, or a list
	AnyOf   []json.RawMessage `json:"any_of,omitempty"`
	Note    string            `json:"note,omitempty"` // for people

	engine game.Engine
}

// Met reports whether a decision is as expected. A fault never is.
func (e Expectation) Met(now json.RawMessage) bool {
	named := slices.ContainsFunc(e.actions(), func(a json.RawMessage) bool { return game.Same(e.engine, now, a) })
	return now != nil && named == (e.MustNot == nil)
}

// actions returns the actions that are named.
func (e Expectation) actions() (list []json.RawMessage) {
	switch {
	case e.Must != nil:
		return []json.RawMessage{e.Must}
	case len(e.MustNot) > 0 && e.MustNot[0] == '[':
		_ = json.Unmarshal(e.MustNot, &list) // it is a list
		return list
	case e.MustNot != nil:
		return []json.RawMessage{e.MustNot}
	}
	return e.AnyOf
}

// check refuses what is no action of the game, which no bot could meet or miss.
func (e Expectation) check() error {
	list := e.actions()
	if len(list) == 0 {
		return errors.New("no action is named")
	}
	for _, a := range list {
		if _, err := e.engine.Canonical(a); err != nil {
			return fmt.Errorf("%s: %w; see molerun schema %s action", a, err, e.engine.Info().ID)
		}
	}
	return nil
}

// String returns what is expected, without where.
func (e Expectation) String() string {
	switch {
	case e.MustNot != nil:
		return "must not " + string(e.MustNot)
	case e.Must != nil:
		return "must " + string(e.Must)
	}
	out := "any of"
	for _, a := range e.AnyOf {
		out += " " + string(a)
	}
	return out
}

// Drive is a seat of a record whose turns are sent again, and what is expected there.
type Drive struct {
	File     string // its name in the folder
	Record   *replay.Record
	Seat     game.Seat
	Expected []Expectation
}

// ReadSuite reads what a folder expects, by records and seats in the order of the file. The error is errFolder, with all lines that make
// no sense.
func ReadSuite(dir string) ([]Drive, error) {
	name := filepath.Join(dir, SuiteFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s holds no %s; next: molerun replay redrive %[4]s --seat SEAT --write", errFolder, dir, SuiteFile, command.Quoted(dir))
	}
	if err != nil {
		return nil, err
	}
	var out []Drive
	var bad []error
	records := map[string]*replay.Record{}
	number := 0
	for line := range strings.Lines(text.Typed(b)) {
		number++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		e, err := readExpectation(dir, []byte(line), records)
		if err != nil {
			bad = append(bad, fmt.Errorf("%w: %s, line %d: %w", errFolder, name, number, err))
			continue
		}
		at := slices.IndexFunc(out, func(d Drive) bool { return d.File == e.Record && d.Seat == e.Seat })
		if at < 0 {
			at = len(out)
			out = append(out, Drive{File: e.Record, Record: records[e.Record], Seat: e.Seat})
		}
		out[at].Expected = append(out[at].Expected, e)
	}
	if len(bad) == 0 && len(out) == 0 {
		bad = append(bad, fmt.Errorf("%w: %s expects nothing", errFolder, name))
	}
	return out, errors.Join(bad...)
}

// readExpectation reads a line and checks that its record has such a turn; records keeps those that were read.
func readExpectation(dir string, line []byte, records map[string]*replay.Record) (Expectation, error) {
	var e Expectation
	if err := strict.Decode(line, &e); err != nil {
		return e, err
	}
	given := 0
	for _, is := range []bool{e.Must != nil, e.MustNot != nil, len(e.AnyOf) > 0} {
		if is {
			given++
		}
	}
	if given != 1 {
		return e, errors.New(`want one of "must", "must_not" and "any_of"`)
	}
	if filepath.Base(e.Record) != e.Record {
		return e, fmt.Errorf("record %q: want the name of a file in this folder", e.Record)
	}
	rec, read := records[e.Record]
	if !read {
		var err error
		if rec, err = Read(filepath.Join(dir, e.Record)); err != nil {
			return e, err
		}
		records[e.Record] = rec
	}
	if e.Step < 1 || e.Step >= len(rec.Steps) {
		return e, fmt.Errorf("step %d: want 1 to %d", e.Step, len(rec.Steps)-1)
	}
	if t, ok := turnOf(rec.Steps[e.Step], e.Seat); !ok || !asked(t) {
		return e, fmt.Errorf("seat %d was not asked in step %d; molerun replay show %s --step %[2]d says who was", e.Seat, e.Step, command.Quoted(filepath.Join(dir, e.Record)))
	}
	e.engine, _ = catalog.Find(rec.Header.Game) // the record has been verified
	return e, e.check()
}

// Expect returns what the bots in some seats decided themselves in a record, as what they must do again. What a fork has taken over was
// decided by the bots of the other match.
func Expect(file string, rec *replay.Record, seats []game.Seat) []Expectation {
	var out []Expectation
	for step, s := range rec.Steps {
		for _, t := range s.Turns {
			if !rec.Header.Taken(step) && t.By == replay.ByBot && asked(t) && slices.Contains(seats, t.Seat) {
				out = append(out, Expectation{Record: file, Seat: t.Seat, Step: step, Must: t.Action})
			}
		}
	}
	return out
}
