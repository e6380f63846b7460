package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/molerun/molerun/engines/game"
)

// Format is the version of the format; old versions stay readable.
const Format = "replay/1"

// Header is the first line: everything needed to start the match, except its seed.
type Header struct {
	Format       string          `json:"format"`
	Match        string          `json:"match"`
	Game         string          `json:"game"`
	RulesVersion int             `json:"rules_version"`
	Engine       string          `json:"engine"` // program and version that played it
	Config       json.RawMessage `json:"config"`
	Seats        []Seat          `json:"seats"`
	Commitment   string          `json:"commitment"` // hex of SHA-256(nonce ‖ seed)
	Fork         *Fork           `json:"fork,omitempty"`
}

// Taken reports whether a step was taken over from the match that this one is a fork of: its decisions are those of the other's bots.
func (h *Header) Taken(step int) bool { return h.Fork != nil && step <= h.Fork.Step }

// Fork says that a match continues another from one of its steps: up to there the decisions are the other's, and the seed,
// with all later luck, is the same.
type Fork struct {
	Match string `json:"match"`
	Step  int    `json:"step"` // the last step taken over; 0 is the deal
	Hash  string `json:"hash"` // of that step's line in the other's record
}

// Seat says who sat where.
type Seat struct {
	Alias string `json:"alias"`
	Bot   string `json:"bot"`
	Build string `json:"build"`
}

// Who decided a turn.
const (
	ByBot   = "bot"
	ByHouse = "house"
)

// Turn is one recorded decision. Why says why the house decided, or that the bot sent the action ahead ("then").
type Turn struct {
	Seat   game.Seat       `json:"seat"`
	Action json.RawMessage `json:"action"`
	Say    string          `json:"say,omitempty"`
	By     string          `json:"by"`
	Why    string          `json:"why,omitempty"`
	Clock  json.RawMessage `json:"clock,omitempty"` // the decision's ledger, as the runner wrote it
	// What the bot claims beside it, as package claim reads it.
	Usage  json.RawMessage `json:"usage,omitempty"`
	Belief json.RawMessage `json:"belief,omitempty"`
}

// end is the last line.
type end struct {
	Result  game.Result `json:"result"`
	Retired game.Seats  `json:"retired"`
	Seed    game.Seed   `json:"seed"`
	Nonce   string      `json:"nonce"`
}

// appendJSON appends the turn as encoding/json writes it, without <, > and & escaped: what a chain's hash covers.
func (t *Turn) appendJSON(b []byte) []byte {
	for _, word := range []string{t.Say, t.By, t.Why} {
		if !plain(word) {
			return append(b, encode(t)...)
		}
	}
	b = strconv.AppendInt(append(b, `{"seat":`...), int64(t.Seat), 10)
	b = appendCompact(append(b, `,"action":`...), t.Action)
	if t.Say != "" {
		b = append(append(append(b, `,"say":"`...), t.Say...), '"')
	}
	b = append(append(append(b, `,"by":"`...), t.By...), '"')
	if t.Why != "" {
		b = append(append(append(b, `,"why":"`...), t.Why...), '"')
	}
	for _, x := range []struct {
		key   string
		value json.RawMessage
	}{{`,"clock":`, t.Clock}, {`,"usage":`, t.Usage}, {`,"belief":`, t.Belief}} {
		if len(x.value) > 0 {
			b = appendCompact(append(b, x.key...), x.value)
		}
	}
	return append(b, '}')
}

// plain reports whether a text stands in JSON as it is.
func plain(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' || c == '"' || c == '\\' })
}

// appendCompact appends a JSON value without the spaces between its parts. Nearly all have none: they are not read for them.
func appendCompact(b []byte, value json.RawMessage) []byte {
	if len(value) > 0 && !spaced(value) {
		return append(b, value...)
	}
	out := bytes.NewBuffer(b)
	if err := json.Compact(out, value); err != nil {
		panic("replay: own data cannot be written as JSON: " + err.Error())
	}
	return out.Bytes()
}

// spaced reports whether there is a space anywhere, as JSON knows them. bytes.ContainsAny takes four times as long, 2 % of the
// first view of a long match.
func spaced(value []byte) bool {
	for _, c := range []byte(" \n\r\t") {
		if bytes.IndexByte(value, c) >= 0 {
			return true
		}
	}
	return false
}

// chain writes the lines of one record. Each line's hash covers the line and, through the previous hash, all before it.
type chain struct {
	prev [32]byte // of the last line written, of the header line at first
	line []byte   // of the last step behind the hash before it, which its own hash covers too; reused
}

// newChain starts a record and returns its header line. Lines have no newline.
func newChain(h Header) (*chain, []byte) {
	line := encode(h)
	return &chain{prev: sha256.Sum256(line)}, line
}

// Step writes the line of one step, which is good until the next is written. Step 0 is the deal and has no turns.
func (c *chain) Step(step int, turns []Turn, events []game.Event, state [32]byte) []byte {
	b := append(append(c.line[:0], c.prev[:]...), `{"step":`...)
	b = strconv.AppendInt(b, int64(step), 10)
	if step > 0 {
		b = append(b, `,"turns":[`...)
		for i := range turns {
			if i > 0 {
				b = append(b, ',')
			}
			b = turns[i].appendJSON(b)
		}
		b = append(b, ']')
	}
	b = append(b, `,"events":[`...)
	for i, e := range events {
		if i > 0 {
			b = append(b, ',')
		}
		b = e.AppendJSON(b)
	}
	b = append(b, `],"state":"`...)
	b = hex.AppendEncode(b, state[:])
	c.line = c.seal(append(b, '"'))
	return c.line[len(c.prev):]
}

// end writes the last line: the engine's own result, the retired seats, and the seed with its nonce.
func (c *chain) end(result game.Result, retired game.Seats, seed game.Seed, nonce [16]byte) []byte {
	line := bytes.TrimSuffix(encode(end{
		Result:  result,
		Retired: retired,
		Seed:    seed,
		Nonce:   hex.EncodeToString(nonce[:]),
	}), []byte("}"))
	return c.seal(append(c.prev[:], line...))[len(c.prev):]
}

// seal appends the hash of an open line, which stands behind the hash before it, and closes it.
func (c *chain) seal(open []byte) []byte {
	c.prev = sha256.Sum256(open)
	b := append(open, `,"hash":"`...)
	b = hex.AppendEncode(b, c.prev[:])
	return append(b, `"}`...)
}

// encode writes own data as JSON, leaving <, > and & as they are.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("replay: own data cannot be written as JSON: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
