package protocol

import (
	"encoding/json"
	"strconv"
)

// AppendJSON writes the turn as encoding/json would, but several times faster: config, events, view and offer are already
// valid JSON and are copied. Lists are never null; empty raw values are.
func (t *Turn) AppendJSON(b []byte) []byte {
	b = appendInt(b, `{"protocol":`, t.Protocol)
	b = appendText(b, `,"type":`, t.Type)
	b = appendText(b, `,"match":`, t.Match)
	b = appendText(b, `,"game":`, t.Game)
	b = appendInt(b, `,"rules_version":`, t.RulesVersion)
	b = appendRaw(b, `,"config":`, t.Config)
	b = appendInt(b, `,"seat":`, t.Seat)
	b = append(b, `,"opponents":[`...)
	for i, o := range t.Opponents {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInt(b, `{"seat":`, o.Seat)
		b = append(appendText(b, `,"alias":`, o.Alias), '}')
	}
	b = appendInt(b, `],"step":`, t.Step)
	b = appendText(b, `,"decision":`, t.Decision)
	b = appendInt(b, `,"clock":{"limit_ms":`, t.Clock.LimitMS)
	b = appendInt(b, `,"bank_ms":`, t.Clock.BankMS)
	b = appendInt(b, `,"increment_ms":`, t.Clock.IncrementMS)
	b = append(b, `},"previous":`...)
	b = t.Previous.append(b)
	b = append(b, `,"events":[`...)
	for i, e := range t.Events {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRaw(b, "", e)
	}
	b = appendRaw(b, `],"view":`, t.View)
	b = appendRaw(b, `,"offer":`, t.Offer)
	b = appendText(b, `,"memo":`, t.Memo)
	if t.Text != "" {
		b = appendText(b, `,"text":`, t.Text)
	}
	if len(t.Asks) > 0 {
		b = append(append(b, `,"asks":`...), encode(t.Asks)...)
	}
	return append(b, '}')
}

func (p *Previous) append(b []byte) []byte {
	if p == nil {
		return append(b, "null"...)
	}
	b = appendText(b, `{"status":`, p.Status)
	b = appendInt(b, `,"elapsed_ms":`, p.ElapsedMS)
	b = appendInt(b, `,"charged_ms":`, p.ChargedMS)
	return append(appendText(b, `,"reason":`, p.Reason), '}')
}

func appendInt[T ~int | ~int8 | ~int64](b []byte, before string, n T) []byte {
	return strconv.AppendInt(append(b, before...), int64(n), 10)
}

func appendRaw(b []byte, before string, raw json.RawMessage) []byte {
	b = append(b, before...)
	if len(raw) == 0 {
		return append(b, "null"...)
	}
	return append(b, raw...)
}

// appendText quotes plain ASCII itself and leaves the rest to encoding/json.
func appendText(b []byte, before, text string) []byte {
	b = append(b, before...)
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return append(b, encode(text)...)
		}
	}
	return append(append(append(b, '"'), text...), '"')
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic("protocol: own data cannot be written as JSON: " + err.Error())
	}
	return b
}
