package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
)

// rawAnswer keeps every value as sent, so that a mistake in an extra differs from a mistake in the move. encoding/json may
// read its parts, because the strict decoder has already refused what encoding/json would let through.
type rawAnswer struct {
	Decision json.RawMessage `json:"decision,omitempty"`
	Action   json.RawMessage `json:"action,omitempty"`
	Choose   json.RawMessage `json:"choose,omitempty"`
	Say      json.RawMessage `json:"say,omitempty"`
	Memo     json.RawMessage `json:"memo,omitempty"`
	Debug    json.RawMessage `json:"debug,omitempty"`
	Build    json.RawMessage `json:"build,omitempty"`
	Then     json.RawMessage `json:"then,omitempty"`
	Usage    json.RawMessage `json:"usage,omitempty"`
	Belief   json.RawMessage `json:"belief,omitempty"`
}

// ParseAnswer reads the body of an answer to a turn; the strings are notes about its extras. It refuses anything but one JSON
// object, duplicate or unknown keys, both or neither of action and choose, and null for either. Extras never cost the move:
// one of the wrong type, over its limit or with forbidden text is dropped with a note; null means left out.
func ParseAnswer(body []byte) (Answer, []string, error) {
	var a Answer
	var notes []string
	if len(body) > MaxAnswerBytes {
		return a, nil, fmt.Errorf("is %d bytes, at most %d are allowed", len(body), MaxAnswerBytes)
	}
	body, err := Plain(body)
	if err != nil {
		return a, nil, err
	}
	if c := bytes.TrimLeft(body, " \t\r\n"); len(c) == 0 || c[0] != '{' {
		return a, nil, errors.New("is not a JSON object")
	}
	var raw rawAnswer
	if err := strict.Decode(body, &raw); err != nil {
		return a, nil, err
	}
	if err := raw.move(&a); err != nil {
		return Answer{}, nil, err
	}
	raw.extras(&a, &notes)
	return a, notes, nil
}

// Plain returns a bot's answer without the byte order mark that some systems write before UTF-8. UTF-16 is refused by name: as JSON it
// would only look broken.
func Plain(body []byte) ([]byte, error) {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		return nil, errors.New("is UTF-16: send UTF-8")
	}
	return bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), nil
}

func (raw *rawAnswer) move(a *Answer) error {
	switch {
	case raw.Action == nil && raw.Choose == nil:
		return errors.New("has neither action nor choose")
	case raw.Action != nil && raw.Choose != nil:
		return errors.New("has both action and choose: give one")
	case isNull(raw.Action):
		return errors.New("at /action: must not be null")
	case isNull(raw.Choose):
		return errors.New("at /choose: must not be null")
	case raw.Choose != nil:
		n, err := strconv.Atoi(string(raw.Choose)) // it is JSON, so this is a JSON number or no number
		if err != nil {
			return errors.New("at /choose: wants a whole number in range")
		}
		a.Choose = &n
	}
	a.Action = raw.Action
	if raw.Decision != nil && !isNull(raw.Decision) && json.Unmarshal(raw.Decision, &a.Decision) != nil {
		return errors.New("at /decision: wants a string")
	}
	return nil
}

func (raw *rawAnswer) extras(a *Answer, notes *[]string) {
	for _, x := range []struct {
		name string
		raw  json.RawMessage
		to   *string
		kind text.Kind
		max  int
	}{
		{name: "say", raw: raw.Say, to: &a.Say, kind: text.Prose, max: MaxSayBytes},
		{name: "memo", raw: raw.Memo, to: &a.Memo, kind: text.Opaque, max: MaxMemoBytes},
		{name: "debug", raw: raw.Debug, to: &a.Debug, kind: text.Prose, max: MaxDebugBytes},
		{name: "build", raw: raw.Build, to: &a.Build, kind: text.Line, max: MaxBuildBytes},
	} {
		if x.raw == nil || isNull(x.raw) {
			continue
		}
		var said string
		if json.Unmarshal(x.raw, &said) != nil {
			*notes = append(*notes, x.name+" was dropped: it is not a string")
		} else if err := x.kind.Check(said, x.max); err != nil {
			*notes = append(*notes, x.name+" was dropped: "+err.Error())
		} else {
			*x.to = said
		}
	}
	if raw.Then != nil && !isNull(raw.Then) {
		a.Then = raw.then(notes)
	}
	if raw.Usage != nil && !isNull(raw.Usage) {
		if usage, err := claim.ParseUsage(raw.Usage); err == nil {
			a.Usage = &usage
		} else {
			*notes = append(*notes, dropped("usage", err))
		}
	}
	if raw.Belief != nil && !isNull(raw.Belief) {
		var err error
		if a.Belief, err = claim.ParseBelief(raw.Belief); err != nil {
			*notes = append(*notes, dropped("belief", err))
		}
	}
}

// dropped is the note on an extra that is not kept; several reasons are one line.
func dropped(what string, err error) string {
	return what + " was dropped: " + strings.ReplaceAll(err.Error(), "\n", ", ")
}

// then keeps the actions up to the first that cannot be one: the later ones were meant to follow it.
func (raw *rawAnswer) then(notes *[]string) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw.Then, &list) != nil {
		*notes = append(*notes, "then was dropped: it is not a list")
		return nil
	}
	if len(list) > MaxThen {
		*notes = append(*notes, fmt.Sprintf("then was cut: %d actions, at most %d are kept", len(list), MaxThen))
		list = list[:MaxThen]
	}
	for i, action := range list {
		if isNull(action) {
			*notes = append(*notes, fmt.Sprintf("then was cut: entry %d is null", i))
			return list[:i]
		}
	}
	return list
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// Quote shortens foreign text for an error: at most 64 bytes, quoted, what does not print escaped, such as marks that turn the direction.
func Quote(text string) string {
	if len(text) > 64 {
		cut := 64
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "…"
	}
	return strconv.Quote(text)
}
