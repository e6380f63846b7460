package replay

import (
	"encoding/json"
	"testing"
)

// The hashes of all records hang on these bytes.
func TestATurnIsWrittenAsEncodingJSONWritesIt(t *testing.T) {
	for _, turn := range []Turn{
		{Seat: 1, Action: json.RawMessage(`{"type":"move","to":"e5"}`), By: ByBot, Clock: json.RawMessage(`{"elapsed_us":1}`)},
		{Action: json.RawMessage(" { \"type\" :\t\"say < & >\", \"list\": [ 1, 2 ] } \n"), By: ByHouse, Why: "timeout"},
		{Action: json.RawMessage(`null`), Say: "hello", By: ByBot, Why: "then", Clock: json.RawMessage(`{ "a": 1 }`)},
		{Action: json.RawMessage(`{"a":"é\u2028` + "\u2028" + `"}`), Say: `"quoted" \ <b>`, By: ByBot},
		{Action: json.RawMessage(`1`), Say: "tab\tdel\x7f\u2028 é \xff", By: "gh\"ost", Clock: json.RawMessage{}},
	} {
		if got, want := string(turn.appendJSON([]byte("["))), "["+string(encode(turn)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
