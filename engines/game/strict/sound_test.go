package strict

import (
	"reflect"
	"strings"
	"testing"
	"time"

	json2 "github.com/go-json-experiment/json"
)

type petal struct {
	Colour string      `json:"colour"`
	Width  *int8       `json:"width"`
	Seen   Given[int8] `json:"seen,omitempty"`
}

type flower struct {
	petal
	Name   string           `json:"name"`
	Petals []petal          `json:"petals,omitempty"`
	Roots  map[string]petal `json:"roots,omitempty"`
	At     time.Time        `json:"at,omitzero"`
	Any    any              `json:"any,omitempty"`
	Pair   [2]petal         `json:"pair,omitempty"`
}

const rose = `{"colour":"red","width":null,"name":"rose"`

// FuzzTheQuickWayAgreesWithTheSlow: what is accepted without a look at each token is what the slow way accepts, and is read the same.
func FuzzTheQuickWayAgreesWithTheSlow(f *testing.F) {
	for _, in := range []string{
		rose + `}`, " { \"colour\" : \"r\\\"ed\\\\\" , \"width\" :\t-1 , \"name\" : \"\" }\n", rose + `,"petals":[{"colour":"","width":7},{"colour":"x","width":0,"seen":1}]}`,
		rose + `,"roots":{"a":{"colour":"","width":1},"b\u0063":{"colour":"","width":null}},"any":[[],{},null,true,1e3,"a,]}"]}`,
		rose + `,"at":"2026-01-01T00:00:00Z"}`, rose + `,"pair":[{"colour":"a","width":1},{"colour":"b","width":2}]}`,
		rose + `,"petals":[null]}`, rose + `,"petals":[{"width":1}]}`, rose + `,"seen":null}`, rose + `,"at":null}`, rose + `,"petals":null}`,
		`{"colour":"red","n\u0061me":"x","width":1}`, `{}`, `null`, `[]`, rose + `,"any":` + strings.Repeat("[", 16) + strings.Repeat("]", 16) + `}`, rose + `} 1`,
	} {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var quick, slow flower
		if json2.Unmarshal(in, &quick, unknown) != nil || !sound(in, reflect.TypeFor[flower]()) {
			return
		}
		if err := slowly(in, &slow, true); err != nil {
			t.Fatalf("%q: the quick way accepts, the slow way says %v", in, err)
		}
		if !reflect.DeepEqual(quick, slow) {
			t.Fatalf("%q:\nquick %+v\nslow  %+v", in, quick, slow)
		}
	})
}

func TestWhatHasNoEscapedKeyIsReadTheQuickWay(t *testing.T) {
	for _, in := range []string{
		rose + `}`, " { \"colour\" : \"r\\\"ed\\\\\" , \"width\" :\t-1 , \"name\" : \"\" }\n",
		rose + `,"petals":[ {"colour":"","width":7} , {"colour":"x","width":0,"seen":1}],"any":[[],{},null,true,1e3,"a,]}"]}`,
		rose + `,"roots":{"a":{"colour":"","width":1}},"at":"2026-01-01T00:00:00Z"}`,
	} {
		if !sound([]byte(in), reflect.TypeFor[flower]()) {
			t.Errorf("%s: is left to the slow way", in)
		}
	}
}
