package console

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
)

// MaxLineBytes bounds one request; a longer line is refused and skipped.
const MaxLineBytes = 4 << 20

// The console's own errors; their text is their stable code.
var (
	errJSON    = errors.New("bad_json")    // the line is not one JSON object
	errOp      = errors.New("unknown_op")  // there is no such op
	errRequest = errors.New("bad_request") // a key is missing, unknown or of the wrong type, or the line is too long
	errNoTable = errors.New("no_table")    // the op needs a table and there is none
	errOurs    = errors.New("internal")    // the engine panicked
)

// Serve answers the requests of in, a line each, until in ends. Every reply is written at once, as one line. The error is
// that of reading or writing; a bad request is answered, never returned.
func Serve(in io.Reader, out io.Writer, engine game.Engine) error {
	return serve(in, out, &console{engine: engine})
}

// desk answers requests. Each op reads the line strictly into the keys it knows. clear takes every table away.
type desk interface {
	answer(op string, line []byte, keys map[string]json.RawMessage) ([]byte, error)
	clear()
}

func serve(in io.Reader, out io.Writer, d desk) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := nextLine(lines)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var reply []byte
		switch {
		case errors.Is(err, errRequest):
			reply = refusal(err)
		case err != nil:
			return fmt.Errorf("console: read: %w", err)
		default:
			reply = replyOf(d, line)
		}
		if _, err := out.Write(append(reply, '\n')); err != nil {
			return fmt.Errorf("console: write: %w", err)
		}
	}
}

// nextLine reads to the next line's end, or the last line to the end of input. It holds at most MaxLineBytes and skips the
// rest of a longer line.
func nextLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	size := 0
	for {
		part, err := r.ReadSlice('\n')
		size += len(part)
		if size <= MaxLineBytes {
			line = append(line, part...)
		} else {
			line = nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && size == 0, err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case size > MaxLineBytes:
			return nil, fmt.Errorf("%w: the line has %d bytes, at most %d are read", errRequest, size, MaxLineBytes)
		}
		return line, nil
	}
}

type console struct {
	engine game.Engine
	table  game.Table                 // nil before the first deal
	heard  map[game.Seat][]game.Event // by seat, since it last decided
	coded  game.Numbered
}

func (c *console) clear() { c.table = nil }

// replyOf answers one line. A panic of the engine is reported and costs the table, for that may be half changed.
func replyOf(d desk, line []byte) (reply []byte) {
	defer func() {
		if p := recover(); p != nil {
			d.clear()
			reply = refusal(fmt.Errorf("%w: the engine failed and the table is gone: %v", errOurs, p))
		}
	}()
	var keys map[string]json.RawMessage
	op, err := opOf(line, &keys)
	if err == nil {
		reply, err = d.answer(op, line, keys)
	}
	if err != nil {
		return refusal(err)
	}
	return reply
}

func refusal(err error) []byte {
	code, detail := game.Code(err)
	for _, own := range []error{errJSON, errOp, errRequest, errNoTable, errOurs} {
		if errors.Is(err, own) {
			code, detail = own.Error(), string(bytes.TrimPrefix([]byte(err.Error()), []byte(own.Error()+": ")))
		}
	}
	return encode(struct {
		OK    bool `json:"ok"`
		Error any  `json:"error"`
	}{false, struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
	}{code, detail}})
}

// opOf reads the op and the keys of a line.
func opOf(line []byte, keys *map[string]json.RawMessage) (op string, err error) {
	if err := strict.Decode(line, keys); err != nil {
		return "", fmt.Errorf("%w: the line %w", errJSON, err)
	}
	raw, ok := (*keys)["op"]
	if !ok {
		return "", fmt.Errorf("%w: at /op: is missing", errRequest)
	}
	if err := strict.Decode(raw, &op); err != nil {
		return "", fmt.Errorf("%w: at /op: %w", errRequest, err)
	}
	return op, nil
}

func (c *console) answer(op string, line []byte, keys map[string]json.RawMessage) ([]byte, error) {
	switch op {
	case "info":
		if err := bare(line); err != nil {
			return nil, err
		}
		return field("info", c.engine.Info()), nil
	case "shape":
		return shape(c.engine, line, keys)
	case "deal":
		return c.deal(line, keys)
	case "guess":
		return c.guess(line, keys)
	case "restore":
		return c.restore(line)
	case "view", "offer", "check", "apply", "house", "hash", "snapshot", "resample", "reveal", "draw", "describe", "numbers", "observe":
		if c.table == nil {
			return nil, fmt.Errorf("%w: %s needs a table: send deal, restore or guess first", errNoTable, op)
		}
		return c.atTable(op, line)
	}
	return nil, fmt.Errorf("%w: %q: want info, deal, view, offer, check, apply, house, hash, snapshot, restore, resample, guess, reveal, draw, describe, shape, numbers or observe", errOp, op)
}

// field returns {"ok":true,"<name>":value}.
func field(name string, value any) []byte {
	b := append([]byte(`{"ok":true,"`), name...)
	b = append(append(b, `":`...), encode(value)...)
	return append(b, '}')
}

// encode writes own data as JSON on one line, text as it is (no HTML escapes: it would double the size of drawings).
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("console: own data cannot be written as JSON: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
