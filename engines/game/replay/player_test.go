package replay

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// written returns a match of the house against itself: the lines of its record, and each step as it is kept.
func written(t *testing.T, id string, seats int) (lines [][]byte, turns [][]Turn, hashes [][32]byte) {
	t.Helper()
	engine, ok := catalog.Find(id)
	if !ok {
		t.Fatalf("there is no game %s", id)
	}
	seed, nonce := game.Seed{5}, [16]byte{6}
	commitment := seed.Commit(nonce)
	h := Header{
		Format:       Format,
		Match:        "m",
		Game:         id,
		RulesVersion: engine.Info().Version,
		Config:       json.RawMessage(`{}`),
		Seats:        make([]Seat, seats),
		Commitment:   hex.EncodeToString(commitment[:]),
	}
	p, err := Deal(engine, h, seed)
	must.OK(t, err)
	lines = [][]byte{p.Header(), bytes.Clone(p.Line())}
	for due := p.Table().Due(); due != 0; due = p.Table().Due() {
		var step []Turn
		for seat := range due.Each() {
			step = append(step, Turn{Seat: seat, Action: p.Table().House(seat), By: ByHouse, Why: "timeout"})
		}
		must.OK(t, p.Play(step))
		lines, turns, hashes = append(lines, bytes.Clone(p.Line())), append(turns, step), append(hashes, p.Hash())
	}
	return append(lines, p.End(0, seed, nonce)), turns, hashes
}

func headerOf(t *testing.T, lines [][]byte) (h Header) {
	t.Helper()
	must.OK(t, json.Unmarshal(lines[0], &h))
	return h
}

func TestAPlayerSeesAWrongHashAndNamesItsStep(t *testing.T) {
	lines, turns, hashes := written(t, "cia", 3)
	engine, _ := catalog.Find("cia")
	for _, row := range []struct {
		name   string
		first  int // the number of the first step
		spoilt int // the step whose hash is another; 0: none
		want   string
	}{
		{"nothing changed", 1, 0, ""},
		{"another hash", 1, 7, "step 7 does not fit its hash"},
		{"a step is missing", 2, 0, "step 2 stands where 1 is due"},
	} {
		p, err := Deal(engine, headerOf(t, lines), game.Seed{5})
		for i := range turns {
			step, hash := i+row.first, hashes[i]
			if step == row.spoilt {
				hash[31] ^= 1
			}
			if err == nil {
				err = p.PlayRecorded(step, turns[i], hash)
			}
		}
		if got := errText(err); got != row.want {
			t.Errorf("%s: got %q, want %q", row.name, got, row.want)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// sealed returns the lines with hashes that fit: what a forger writes who knows the format.
func sealed(lines [][]byte) []byte {
	first := lines[0]
	c := &chain{prev: sha256.Sum256(first)}
	out := bytes.Clone(first)
	for _, line := range lines[1:] {
		open := line[:bytes.LastIndex(line, []byte(`,"hash"`))]
		out = append(append(out, '\n'), c.seal(append(c.prev[:], open...))[len(c.prev):]...)
	}
	return append(out, '\n')
}

func TestARecordForgedHashesAndAllIsRefusedAndItsStepNamed(t *testing.T) {
	lines, _, _ := written(t, "molehill", 2)
	if _, err := Verify(bytes.NewReader(sealed(lines)), catalog.Find); err != nil {
		t.Fatalf("as it was written: %v", err)
	}
	last := len(lines) - 1
	for _, row := range []struct {
		name           string
		line           int // 0 is the header, 1 the deal
		from, to, want string
	}{
		{"another event", 1, `"kind":"round"`, `"kind":"bound"`, "step 0: event 0: the rules give"},
		{"a state of its own", 4, `"state":"`, `"state":"0`, "step 3: the rules give another state"},
		{"an action the house would not take", 5, `"action":{`, `"action":{ `, "step 4: seat"},
		{"decided by nobody", 5, `"by":"house"`, `"by":"ghost"`, `step 4: seat 1: decided by "ghost"`},
		{"not legal", 5, `"by":"house"`, `"by":"bot","say":"x"`, "step 4: bad_say"},
		{"no event", 6, `"events":[`, `"events":[{},`, "step 5: 2 events recorded, the rules give 1"},
		{"misnumbered", 7, `{"step":6`, `{"step":7`, "step 6: is numbered 7"},
		{"another result", last, `"rank":[`, `"rank":[7,`, "end: the rules give the result"},
		{"another seed", last, `"seed":"05`, `"seed":"06`, "end: seed and nonce do not open the commitment"},
		{"another game", 0, `"game":"molehill"`, `"game":"nohill"`, "header: no game"},
	} {
		forged := make([][]byte, len(lines))
		copy(forged, lines)
		forged[row.line] = bytes.Replace(lines[row.line], []byte(row.from), []byte(row.to), 1)
		if bytes.Equal(forged[row.line], lines[row.line]) {
			t.Errorf("%s: %q is not in %s", row.name, row.from, lines[row.line])
			continue
		}
		_, err := Verify(bytes.NewReader(sealed(forged)), catalog.Find)
		if !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want a refusal with %q", row.name, err, row.want)
		}
	}
}

// A download or a full disk may end a file at any byte. Only the newline at the very end is missed by nobody.
func TestARecordThatEndsEarlyIsCalledCutShort(t *testing.T) {
	lines, _, _ := written(t, "molehill", 2)
	plain := sealed(lines)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(plain)
	must.OK(t, err)
	must.OK(t, z.Close())
	lineEnds := map[int]string{0: "before its header ends", len(lines[0]) + 1: "after its header", len(lines[0]) + len(lines[1]) + 2: "after step 0"}
	for name, file := range map[string][]byte{"plain": plain[:len(plain)-1], "gzip": packed.Bytes()} {
		for n := range len(file) {
			if n > 300 && n < len(file)-300 && n%101 != 0 && !slices.Contains([]byte("\n{}\""), file[n-1]) {
				continue // enough of the same
			}
			want := "is cut short"
			if name == "plain" {
				want += " " + lineEnds[n]
			}
			if _, err := Verify(bytes.NewReader(file[:n]), catalog.Find); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %d of %d bytes: got %v, want that it %s", name, n, len(file), err, want)
			}
		}
		if _, err := Verify(bytes.NewReader(file), catalog.Find); err != nil {
			t.Errorf("%s, whole: %v", name, err)
		}
	}
}

// An editor of Windows puts a mark before the text, and a return at the end of each line.
func TestARecordMayHaveBeenThroughAnEditor(t *testing.T) {
	lines, _, _ := written(t, "molehill", 2)
	text := "\ufeff" + strings.ReplaceAll(string(sealed(lines)), "\n", "\r\n")
	if _, err := Verify(strings.NewReader(text), catalog.Find); err != nil {
		t.Error(err)
	}
}

// What is no record, or has a byte changed, is not said to be cut.
func TestWhatIsDamagedIsNotCalledCutShort(t *testing.T) {
	lines, _, _ := written(t, "molehill", 2)
	whole := sealed(lines)
	for i := range whole {
		if i%53 != 0 && i < len(whole)-100 {
			continue
		}
		changed := bytes.Clone(whole)
		changed[i] ^= 4
		if _, err := Verify(bytes.NewReader(changed), catalog.Find); !errors.Is(err, ErrReplay) || strings.Contains(err.Error(), "cut short") {
			t.Errorf("byte %d changed: got %v, want a refusal of the line", i, err)
		}
	}
	for text, want := range map[string]string{
		"hello":      "is no record",
		"[1]\n[2]\n": "is no record",
		"a\n\nb\n":   "is no record",
		"{}\n":       "1 line; a record has a header",
		"{}\n\n":     "line 2 is empty",
		"{\"a\":\"" + strings.Repeat("x", maxLineBytes): "line 1 is longer than 4194304 bytes",
	} {
		if _, err := Verify(strings.NewReader(text), catalog.Find); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got %v, want %q", text, err, want)
		}
	}
}

// What is read once may be shown, forked and reported many times: each time it is held against the record again.
func TestARecordThatIsPlayedAgainIsHeldAgainstItsStates(t *testing.T) {
	lines, _, _ := written(t, "molehill", 2)
	rec, err := Verify(bytes.NewReader(sealed(lines)), catalog.Find)
	must.OK(t, err)
	shown := 0
	count := func(p *Player) error {
		if p.Step() != shown {
			t.Errorf("step %d is shown where %d is due", p.Step(), shown)
		}
		shown++
		return nil
	}
	if err := rec.Play(count); err != nil || shown != len(rec.Steps) {
		t.Errorf("got %d steps and %v, want all %d", shown, err, len(rec.Steps))
	}
	shown = 0
	if err := rec.PlayAs(rec.Header, 3, count); err != nil || shown != 4 {
		t.Errorf("up to step 3: got %d steps and %v, want 4", shown, err)
	}
	rec.Steps[4].State = rec.Steps[3].State
	shown = 0
	if err := rec.Play(count); !errors.Is(err, ErrReplay) || !strings.Contains(err.Error(), "step 4: the rules give another state") || shown != 4 {
		t.Errorf("with another state in step 4: got %d steps and %v, want 4 and a refusal", shown, err)
	}
}
