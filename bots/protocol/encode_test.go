package protocol

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// drawRaw draws JSON as engines write it: by encoding/json.
func drawRaw(t *rapid.T, label string) json.RawMessage {
	v := rapid.MapOf(rapid.String(), rapid.OneOf(rapid.String().AsAny(), rapid.Int().AsAny(), rapid.SliceOf(rapid.Bool()).AsAny())).Draw(t, label)
	b, err := json.Marshal(v)
	must.OK(t, err)
	return b
}

func drawTurn(t *rapid.T) Turn {
	text := func(label string) string { return rapid.String().Draw(t, label) }
	number := func(label string) int { return rapid.Int().Draw(t, label) }
	clock := rapid.Int64()
	turn := Turn{
		Protocol: number("protocol"), Type: text("type"), Match: text("match"), Game: text("game"), RulesVersion: number("rules"),
		Config: drawRaw(t, "config"), Seat: game.Seat(rapid.Int8().Draw(t, "seat")), Opponents: []Opponent{},
		Step: number("step"), Decision: text("decision"), Clock: Clock{clock.Draw(t, "limit"), clock.Draw(t, "bank"), clock.Draw(t, "increment")},
		Events: []json.RawMessage{}, View: drawRaw(t, "view"), Offer: drawRaw(t, "offer"),
		Memo: rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "memo"),
	}
	turn.Text = text("text")
	for range rapid.IntRange(0, 2).Draw(t, "asks") {
		turn.Asks = append(turn.Asks, Question{text("about"), rapid.SliceOfN(rapid.String(), 1, 3).Draw(t, "answers")})
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "opponents") {
		turn.Opponents = append(turn.Opponents, Opponent{game.Seat(i), text("alias")})
		turn.Events = append(turn.Events, drawRaw(t, "event"))
	}
	if rapid.Bool().Draw(t, "has previous") {
		turn.Previous = &Previous{Status: text("status"), ElapsedMS: clock.Draw(t, "elapsed"), ChargedMS: clock.Draw(t, "charged"), Reason: text("reason")}
	}
	return turn
}

func TestATurnIsWrittenAsEncodingJSONWould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		turn := drawTurn(t)
		want, err := json.Marshal(turn)
		must.OK(t, err)
		if d := cmp.Diff(string(want), string(turn.AppendJSON(nil))); d != "" {
			t.Fatalf("(-encoding/json +AppendJSON):\n%s", d)
		}
	})
}

func TestListsOfATurnAreNeverNull(t *testing.T) {
	var got map[string]json.RawMessage
	must.OK(t, json.Unmarshal(new(Turn).AppendJSON(nil), &got))
	for _, key := range []string{"opponents", "events"} {
		if string(got[key]) != "[]" {
			t.Errorf("%s of an empty turn is %s, want []", key, got[key])
		}
	}
}

func TestRawJSONGoesOutUntouched(t *testing.T) {
	raw := json.RawMessage(`{ "a" : "<b> & ` + "\u2028" + `" }`)
	turn := Turn{View: raw, Offer: raw, Config: raw, Events: []json.RawMessage{raw}}
	var got Turn
	must.OK(t, json.Unmarshal(turn.AppendJSON(nil), &got))
	for name, b := range map[string]json.RawMessage{"view": got.View, "offer": got.Offer, "config": got.Config, "event": got.Events[0]} {
		if string(b) != string(raw) {
			t.Errorf("%s is %s, want %s", name, b, raw)
		}
	}
}

func BenchmarkTurn(b *testing.B) {
	turn := Turn{Protocol: 1, Type: TypeTurn, Match: "m", Game: "molehill", Config: json.RawMessage(`{"rows":9}`), View: json.RawMessage(`{"mole":"d5","visited":["d5"]}`), Offer: json.RawMessage(`{"list":[]}`)}
	var buf []byte
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			buf = turn.AppendJSON(buf[:0])
		}
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := json.Marshal(turn)
			must.OK(b, err)
		}
	})
}
