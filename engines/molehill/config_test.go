package molehill_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

const baseConfig = `{"columns":7,"rows":9,"flowers":{"red":["b2","f2","b8","f8"],"white":["d3","d7","b5","f5"]},` +
	`"discs":{"orange":10,"black":12},"rods":22,"first_mole":"lot","centre_start_jumps":false}`

func TestKeysLeftOutTakeTheirDefaults(t *testing.T) {
	for _, row := range []struct{ config, want string }{
		{``, baseConfig},
		{`{}`, baseConfig},
		{baseConfig, baseConfig},
		{`{"discs":{"black":5}}`, strings.Replace(baseConfig, `"black":12`, `"black":5`, 1)},
		{`{"first_mole":1}`, strings.Replace(baseConfig, `"lot"`, `1`, 1)},
		{` { "first_mole" : "lot" } `, baseConfig},
		{`{"centre_start_jumps":true}`, strings.Replace(baseConfig, `false`, `true`, 1)},
		{`{"flowers":"random","columns":5,"rows":11}`, `{"columns":5,"rows":11,"flowers":"random","discs":{"orange":10,"black":12},"rods":22,"first_mole":"lot","centre_start_jumps":false}`},
		{`{"flowers":{"white":["a1","b1","c1","d1"],"red":["a2","b2","c2","d2"]},"rods":21}`, `{"columns":7,"rows":9,"flowers":{"red":["a2","b2","c2","d2"],"white":["a1","b1","c1","d1"]},"discs":{"orange":10,"black":12},"rods":21,"first_mole":"lot","centre_start_jumps":false}`},
	} {
		got, err := engine.Configure([]byte(row.config), 2)
		if err != nil || string(got) != row.want {
			t.Errorf("Configure(%s):\ngot  %s (%v)\nwant %s", row.config, got, err, row.want)
			continue
		}
		if again, err := engine.Configure(got, 2); err != nil || string(again) != string(got) {
			t.Errorf("Configure is no fixed point:\nfirst  %s\nsecond %s (%v)", got, again, err)
		}
	}
}

func TestBadConfigurationsAreRefusedByKey(t *testing.T) {
	for _, row := range []struct{ config, want string }{
		{`{"columns":8}`, "columns: want an odd number"},
		{`{"columns":1}`, "columns: want an odd number"},
		{`{"columns":23,"rows":3}`, "columns: want an odd number"},
		{`{"columns":-7}`, "columns: want an odd number"},
		{`{"rows":4}`, "rows: want an odd number"},
		{`{"columns":9}`, "columns × rows: want at most 63 squares, got 9 × 9 = 81"},
		{`{"columns":5}`, "flowers.red[1]: f2 is not on a board of 5 columns and 9 rows"},
		{`{"rows":7}`, "flowers.red[2]: b8 is not on a board"},
		{`{"discs":{"orange":-1}}`, "discs.orange: want 0 to 63"},
		{`{"discs":{"black":64}}`, "discs.black: want 0 to 63"},
		{`{"discs":{"orange":32,"black":32}}`, "discs: want 1 to 63, got"},
		{`{"discs":{"orange":0,"black":0}}`, "discs: want 1 to 63, got"},
		{`{"discs":{"orange":9223372036854775807,"black":1}}`, "discs.orange: want 0 to 63"},
		{`{"columns":4294967297,"rows":4294967297}`, "columns: want"},
		{`{"rods":20}`, "rods: want 21 to 255, got 20"},
		{`{"rods":256}`, "rods: want 21"},
		{`{"first_mole":2}`, `first_mole: want a seat 0 to 1 or "lot", got 2`},
		{`{"first_mole":-1}`, `/first_mole: wants a seat or "lot"`},
		{`{"first_mole":"Lot"}`, `/first_mole: wants a seat or "lot"`},
		{`{"first_mole":null}`, "/first_mole"},
		{`{"first_mole":[0]}`, "/first_mole"},
		{`{"flowers":"wild"}`, `/flowers: wants "random"`},
		{`{"flowers":7}`, "/flowers: wants an object"},
		{`{"flowers":{}}`, "/flowers/red: is missing"},
		{`{"flowers":{"red":["a1","b1","c1","d1"]}}`, "/flowers/white: is missing"},
		{`{"flowers":{"red":["a1","b1","c1"],"white":["a2","b2","c2","d2"]}}`, "/flowers/red: wants 4 squares, not 3"},
		{`{"flowers":{"red":["a1","b1","c1","z1"],"white":["a2","b2","c2","d2"]}}`, `/flowers/red/3: "z1" is not a square`},
		{`{"flowers":{"red":["a1","b1","c1","d1"],"white":["a2","b2","c2",null]}}`, "/flowers/white/3: must not be null"},
		{`{"flowers":{"red":["a1","b1","c1","d1"],"white":["a2","b2","c2","a1"]}}`, "flowers.white[3]: a1 has a flower already"},
		{`{"flowers":{"red":["a1","b1","c1","d1"],"white":["a2","b2","c2","h1"]}}`, "flowers.white[3]: h1 is not on a board"},
		{`{"flowers":{"red":["a1","b1","c1","d1"],"white":["a2","b2","c2","d2"],"blue":[]}}`, "/flowers/blue: is not a known key"},
	} {
		if got, err := engine.Configure([]byte(row.config), 2); !errors.Is(err, game.ErrConfig) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("Configure(%s): got %s, %v; want a refusal with %q", row.config, got, err, row.want)
		}
	}
}

func TestRandomFlowersNeverGrowOnTheCentreAndReachEverySquareBeside(t *testing.T) {
	seen := map[string]int{}
	for k := range 400 {
		table, _, err := engine.New([]byte(`{"flowers":"random","columns":5,"rows":5}`), 2, game.Seed{byte(k), byte(k >> 8), 9})
		must.OK(t, err)
		v := (&match{t: t, Table: table}).view()
		flowers := map[string]bool{}
		for _, q := range append(v.Flowers.Red, v.Flowers.White...) {
			flowers[q] = true
			seen[q]++
		}
		if len(v.Flowers.Red) != 4 || len(v.Flowers.White) != 4 || len(flowers) != 8 {
			t.Fatalf("flowers: got %+v, want 4 red and 4 white on distinct squares", v.Flowers)
		}
	}
	if len(seen) != 24 || seen["c3"] != 0 {
		t.Errorf("squares with a flower in 400 deals: got %d (centre %d times), want all 24 but the centre", len(seen), seen["c3"])
	}
	for q, n := range seen {
		if n < 80 || n > 190 { // 133 expected, 9.4 is the standard deviation
			t.Errorf("%s had a flower %d times of 400, want about 133", q, n)
		}
	}
}

func TestTheSmallestBoardTakesRandomFlowersOnAllButTheCentre(t *testing.T) {
	x := deal(t, `{"columns":3,"rows":3,"flowers":"random","discs":{"orange":4,"black":5},"rods":8}`)
	got := append(x.view().Flowers.Red, x.view().Flowers.White...)
	if len(got) != 8 || strings.Contains(strings.Join(got, " "), "b2") {
		t.Errorf("flowers on 3 × 3: got %v, want the eight squares round b2", got)
	}
}
