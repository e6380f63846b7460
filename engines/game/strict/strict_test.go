package strict_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game/strict"
)

// letter reads its own text, word its own JSON.
type letter byte

func (l *letter) UnmarshalText(b []byte) error {
	if len(b) != 1 {
		return errors.New("want one letter")
	}
	*l = letter(b[0])
	return nil
}

type word string

func (w *word) UnmarshalJSON(b []byte) error {
	text, err := strconv.Unquote(string(b))
	if err != nil {
		return &strict.Error{Pointer: "/inner", Reason: "wants a word"}
	}
	*w = word(text)
	return nil
}

type flowers struct {
	Red   []int `json:"red"`
	White []int `json:"white,omitempty"`
}

type form struct {
	Name    string            `json:"name"`
	Small   int8              `json:"small,omitempty"`
	Count   uint              `json:"count,omitempty"`
	Share   float64           `json:"share,omitempty"`
	Yes     bool              `json:"yes,omitempty"`
	Maybe   *int              `json:"maybe,omitempty"`
	Flowers flowers           `json:"flowers,omitzero"`
	Pair    [2]int            `json:"pair,omitzero"`
	Raw     json.RawMessage   `json:"raw,omitempty"`
	Any     any               `json:"any,omitempty"`
	Map     map[string]int    `json:"map,omitempty"`
	Letter  letter            `json:"letter,omitempty"`
	Letters []letter          `json:"letters,omitempty"`
	Word    word              `json:"word,omitempty"`
	Bytes   []byte            `json:"bytes,omitempty"`
	List    []flowers         `json:"list,omitempty"`
	Texts   map[string]string `json:"texts,omitempty"`
	//lint:ignore U1000 a key of this name must be unknown
	hidden int
}

func TestWhatIsWrongIsRefusedWithPlaceAndReason(t *testing.T) {
	deep := func(n int) string {
		return `{"name":"x","any":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}`
	}
	for _, row := range []struct{ name, in, pointer, reason string }{
		{"nothing", ``, "", "ends too early"},
		{"white space alone", " \n", "", "ends too early"},
		{"no JSON", `hello`, "", "is not valid JSON"},
		{"cut off", `{"name":"x`, "/name", "is not valid JSON"},
		{"cut off in a list", `{"name":"x","flowers":{"red":[1,2`, "/flowers/red", "is not valid JSON"},
		{"single quotes", `{'name':'x'}`, "", "is not valid JSON"},
		{"comma at the end", `{"name":"x",}`, "", "is not valid JSON"},
		{"comment", `{"name":"x"/**/}`, "", "is not valid JSON"},
		{"byte order mark", "\ufeff{\"name\":\"x\"}", "", "is not valid JSON"},
		{"trailing value", `{"name":"x"} {}`, "", "has more after the JSON value"},
		{"trailing letter", `{"name":"x"}x`, "", "has more after the JSON value"},
		{"invalid UTF-8", "{\"name\":\"\xff\"}", "", "is not valid UTF-8"},
		{"half a surrogate pair", `{"name":"\ud800"}`, "/name", "is not valid JSON"},
		{"control character", "{\"name\":\"a\x01\"}", "/name", "is not valid JSON"},
		{"null for all", `null`, "", "must not be null"},
		{"a list for an object", `[]`, "", "wants an object, not a list"},
		{"duplicate key", `{"name":"x","name":"x"}`, "/name", "is given twice"},
		{"duplicate key by escape", `{"name":"x","nam\u0065":"x"}`, "/name", "is given twice"},
		{"duplicate key inside any", `{"name":"x","any":{"a":1,"a":2}}`, "/any/a", "is given twice"},
		{"duplicate key inside raw", `{"name":"x","raw":[{"a":1,"a":2}]}`, "/raw/0/a", "is given twice"},
		{"duplicate key of a map", `{"name":"x","map":{"a":1,"a":1}}`, "/map/a", "is given twice"},
		{"unknown key", `{"name":"x","colour":1}`, "/colour", "is not a known key"},
		{"unknown key inside", `{"name":"x","flowers":{"red":[],"blue":[]}}`, "/flowers/blue", "is not a known key"},
		{"unknown key with a slash", `{"name":"x","a/b~c":1}`, "/a~1b~0c", "is not a known key"},
		{"unexported field", `{"name":"x","hidden":1}`, "/hidden", "is not a known key"},
		{"wrong case", `{"Name":"x"}`, "/Name", `did you mean "name"?`},
		{"long s for s (U+017F)", `{"name":"x","\u017fmall":1}`, "/ſmall", `did you mean "small"?`},
		{"Kelvin sign for k (U+212A)", `{"name":"x","\u212aey":1}`, "/\u212aey", "is not a known key"},
		{"missing key", `{}`, "/name", "is missing"},
		{"missing key inside", `{"name":"x","flowers":{}}`, "/flowers/red", "is missing"},
		{"missing key in a list", `{"name":"x","list":[{"red":[]},{}]}`, "/list/1/red", "is missing"},
		{"null for a string", `{"name":null}`, "/name", "must not be null"},
		{"null for a number", `{"name":"x","small":null}`, "/small", "must not be null"},
		{"null for a list", `{"name":"x","flowers":{"red":null}}`, "/flowers/red", "must not be null"},
		{"null in a list", `{"name":"x","flowers":{"red":[1,null]}}`, "/flowers/red/1", "must not be null"},
		{"null for an object", `{"name":"x","flowers":null}`, "/flowers", "must not be null"},
		{"null for an array", `{"name":"x","pair":null}`, "/pair", "must not be null"},
		{"null in a map", `{"name":"x","map":{"a":null}}`, "/map/a", "must not be null"},
		{"null for a text of its own", `{"name":"x","letter":null}`, "/letter", "must not be null"},
		{"null for a text of its own in a list", `{"name":"x","letters":["a",null]}`, "/letters/1", "must not be null"},
		{"null for a type that reads its own JSON and refuses it", `{"name":"x","word":null}`, "/word/inner", "wants a word"},
		{"own text refused", `{"name":"x","letter":"ab"}`, "/letter", "want one letter"},
		{"NaN", `{"name":"x","share":NaN}`, "/share", "is not valid JSON"},
		{"Infinity", `{"name":"x","share":Infinity}`, "/share", "is not valid JSON"},
		{"1e400", `{"name":"x","share":1e400}`, "/share", "is out of range"},
		{"hexadecimal", `{"name":"x","small":0x1}`, "", "is not valid JSON"},
		{"leading zero", `{"name":"x","small":01}`, "", "is not valid JSON"},
		{"plus sign", `{"name":"x","small":+1}`, "/small", "is not valid JSON"},
		{"overflow", `{"name":"x","small":128}`, "/small", "is out of range"},
		{"underflow", `{"name":"x","small":-129}`, "/small", "is out of range"},
		{"overflow of 64 bits", `{"name":"x","count":18446744073709551616}`, "/count", "is out of range"},
		{"negative for unsigned", `{"name":"x","count":-1}`, "/count", "wants a whole number"},
		{"fraction for a whole number", `{"name":"x","flowers":{"red":[2.5]}}`, "/flowers/red/0", "wants a whole number"},
		{"exponent for a whole number", `{"name":"x","small":1e0}`, "/small", "wants a whole number"},
		{"string for a number", `{"name":"x","small":"1"}`, "/small", "wants a whole number in range, not a string"},
		{"number for a string", `{"name":1}`, "/name", "wants a string, not this number"},
		{"number for a boolean", `{"name":"x","yes":1}`, "/yes", "wants a boolean"},
		{"object for a list", `{"name":"x","flowers":{"red":{}}}`, "/flowers/red", "wants a list, not an object"},
		{"string in a list", `{"name":"x","flowers":{"red":[1,"a"]}}`, "/flowers/red/1", "wants a whole number in range, not a string"},
		{"list too short for an array", `{"name":"x","pair":[1]}`, "/pair", "too few array elements"},
		{"list too long for an array", `{"name":"x","pair":[1,2,3]}`, "/pair", "too many array elements"},
		{"list for bytes", `{"name":"x","bytes":[1]}`, "/bytes", "wants base64 text, not a list"},
		{"no base64", `{"name":"x","bytes":"%"}`, "/bytes", "base64"},
		{"depth 17", deep(16), "/any" + strings.Repeat("/0", 15), "nests deeper than 16"},
		{"depth 10000", deep(9999), "/any" + strings.Repeat("/0", 15), "nests deeper than 16"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := form{Name: "before", Flowers: flowers{Red: []int{7}}}
			err := strict.Decode([]byte(row.in), &got)
			var refusal *strict.Error
			if !errors.As(err, &refusal) || refusal.Pointer != row.pointer || !strings.Contains(refusal.Reason, row.reason) {
				t.Errorf("%.200s: got %#v, want a refusal at %q with %q", row.in, err, row.pointer, row.reason)
			}
			if want := (form{Name: "before", Flowers: flowers{Red: []int{7}}}); !reflect.DeepEqual(got, want) {
				t.Errorf("%.200s: changed the value on error: got %+v", row.in, got)
			}
		})
	}
}

func TestWhatIsRightIsRead(t *testing.T) {
	one := 1
	for _, row := range []struct {
		in   string
		want form
	}{
		{` {"name":"x"} ` + "\n", form{Name: "x"}},
		{`{"name":"x","hidden2":0}`, form{}},
		{`{"name":"","small":-128,"count":18446744073709551615,"share":-1.5e-3,"yes":true}`, form{Small: -128, Count: 1<<64 - 1, Share: -1.5e-3, Yes: true}},
		{`{"name":"\u00e9\ud83d\ude00","maybe":1}`, form{Name: "é😀", Maybe: &one}},
		{`{"name":"x","maybe":null,"any":null}`, form{Name: "x"}},
		{`{"name":"x","flowers":{"red":[]},"list":[{"red":[1],"white":[2]}]}`, form{Name: "x", Flowers: flowers{Red: []int{}}, List: []flowers{{[]int{1}, []int{2}}}}},
		{`{"name":"x","pair":[1,2],"raw":{"a": [1]},"map":{"a":1,"A":2},"texts":{}}`, form{Name: "x", Pair: [2]int{1, 2}, Raw: json.RawMessage(`{"a": [1]}`), Map: map[string]int{"a": 1, "A": 2}, Texts: map[string]string{}}},
		{`{"name":"x","letter":"a","letters":["b"],"word":"hi","bytes":"aGk="}`, form{Name: "x", Letter: 'a', Letters: []letter{'b'}, Word: "hi", Bytes: []byte("hi")}},
		{`{"name":"x","any":` + strings.Repeat("[", 15) + strings.Repeat("]", 15) + `}`, form{Name: "x", Any: nest(15)}},
	} {
		var got form
		err := strict.Decode([]byte(row.in), &got)
		if strings.Contains(row.in, "hidden2") {
			if err == nil {
				t.Errorf("%s was accepted", row.in)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s:\ngot  %+v (%v)\nwant %+v", row.in, got, err, row.want)
		}
	}
}

func nest(n int) any {
	list := []any{}
	for range n - 1 {
		list = []any{list}
	}
	return list
}

func TestDecodeForgetsWhatWasThere(t *testing.T) {
	got := form{Name: "old", Small: 5, Map: map[string]int{"old": 1}}
	if err := strict.Decode([]byte(`{"name":"new","map":{"new":2}}`), &got); err != nil || !reflect.DeepEqual(got, form{Name: "new", Map: map[string]int{"new": 2}}) {
		t.Errorf("got %+v (%v), want the new value alone", got, err)
	}
}

func TestMergeKeepsWhatIsLeftOut(t *testing.T) {
	got := form{Name: "old", Small: 5, Flowers: flowers{Red: []int{1}, White: []int{2}}}
	if err := strict.Merge([]byte(`{"small":6,"flowers":{"red":[3,4]}}`), &got); err != nil {
		t.Fatal(err)
	}
	if want := (form{Name: "old", Small: 6, Flowers: flowers{Red: []int{3, 4}, White: []int{2}}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := strict.Merge([]byte(`{}`), &got); err != nil || got.Small != 6 {
		t.Errorf("an empty object: got %+v (%v), want no change", got, err)
	}
}

// TestAFailedMergeChangesNothing: also not inside lists and maps that the value shares.
func TestAFailedMergeChangesNothing(t *testing.T) {
	got := form{Name: "old", Flowers: flowers{Red: []int{1, 2}}, Map: map[string]int{"a": 1}, Texts: map[string]string{"a": "b"}}
	for _, in := range []string{
		`{"flowers":{"red":[9,9]},"small":300}`, `{"map":{"a":9,"b":9},"small":300}`, `{"map":{"b":9,"c":"x"}}`, `{"texts":{"a":"c","b":1}}`,
		`{"name":"new","word":7}`, `{"name":"new"} x`, `{"name":"new","name":"newer"}`,
	} {
		if err := strict.Merge([]byte(in), &got); err == nil {
			t.Errorf("%s: was accepted", in)
		}
		if want := (form{Name: "old", Flowers: flowers{Red: []int{1, 2}}, Map: map[string]int{"a": 1}, Texts: map[string]string{"a": "b"}}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got %+v, want no change", in, got)
		}
	}
}

func TestErrorsNameThePlaceFirst(t *testing.T) {
	for _, row := range []struct {
		err  strict.Error
		want string
	}{
		{strict.Error{Pointer: "/flowers/red/0", Reason: "must not be null"}, "at /flowers/red/0: must not be null"},
		{strict.Error{Reason: "is not valid UTF-8"}, "is not valid UTF-8"},
		{strict.Error{Pointer: "/a\x00\u202e", Reason: "is not a known key"}, `at /a\x00\u202e: is not a known key`},
		{strict.Error{Pointer: "/" + strings.Repeat("k", 60_000), Reason: "is not a known key"}, "at /" + strings.Repeat("k", 196) + "…: is not a known key"},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

// FuzzStrictIsStricter: what strict accepts, encoding/json accepts too, and reads the same.
func FuzzStrictIsStricter(f *testing.F) {
	for _, in := range []string{
		`{"name":"x"}`, `{"name":"\u00e9","small":-1,"share":1e3,"yes":false}`, `{"name":"x","flowers":{"red":[1,2]},"pair":[1,2]}`,
		`{"name":"x","any":{"a":[null,true,1.5,"s"]},"raw":[1 , 2],"map":{"":0}}`, `{"name":"x","letter":"a","word":"w","bytes":"aGk=","maybe":null}`,
		`{"name":"x","share":-0}`, `{"name":"x","texts":{"\u0000":"\u2028"}}`, `[1]`, `{"Name":"x"}`,
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var ours, theirs form
		if err := strict.Decode(in, &ours); err != nil {
			if !reflect.DeepEqual(ours, form{}) {
				t.Fatalf("%q: refused (%v) but changed the value: %+v", in, err, ours)
			}
			return
		}
		if err := json.Unmarshal(in, &theirs); err != nil {
			t.Fatalf("%q: strict accepts, encoding/json says %v", in, err)
		}
		if !reflect.DeepEqual(ours, theirs) {
			t.Fatalf("%q:\nstrict        %+v\nencoding/json %+v", in, ours, theirs)
		}
		var merged form
		if err := strict.Merge(in, &merged); err != nil || !reflect.DeepEqual(merged, ours) {
			t.Fatalf("%q: Decode accepts, Merge gives %+v (%v)", in, merged, err)
		}
	})
}
