package mole_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/mole"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

var engine = game.Wrap(mole.Rules{})

func TestLaws(t *testing.T) {
	gametest.Run(t, mole.Rules{}, gametest.Cases[mole.State, mole.Action]{
		List: []gametest.Case{
			{Config: `{"max_rounds":16}`, Seats: 2},
			{Config: `{"points":5,"max_rounds":16}`, Seats: 2},
			{Config: `{"board":"carnival","points":5,"max_rounds":16,"noise":"shaky","mole_turns":3}`, Seats: 2},
			{Config: `{"board":"carnival","max_rounds":12,"noise":"none","first_mole":1,"mole_max_mm_s":3000}`, Seats: 2},
		},
		MaxSteps:   40 * (1 + 12*(mole.Mignettes+1)),
		Matches:    gametest.Nightly(50),
		Open:       true,
		Hostile:    hostile(),
		BadConfigs: badConfigs(),
	})
}

// hostile actions are well-formed JSON and never legal.
func hostile() []string {
	return []string{
		`{"type":"place"}`, `{"type":"place","at":[]}`, `{"type":"place","at":[[1,2],[3,4]]}`, `{"type":"place","at":[[1,2],[3,4],[5]]}`,
		`{"type":"place","at":[[150000,280000],[150000,280000],[150000,280000]]}`, `{"type":"place","at":[[1,1],[2,2],[99999999999,3]]}`,
		`{"type":"place","at":[[-2147483648,280000],[2147483647,280000],[150000,2147483647]]}`,
		`{"type":"place","at":null}`, `{"type":"flick"}`, `{"type":"flick","coin":"mole"}`, `{"type":"flick","coin":"m4","angle_mdeg":0,"speed_mm_s":1}`,
		`{"type":"flick","coin":"mole","angle_mdeg":360000,"speed_mm_s":1}`, `{"type":"flick","coin":"m1","angle_mdeg":-1,"speed_mm_s":1}`,
		`{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":0}`, `{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":5001}`,
		`{"type":"flick","coin":"m1","angle_mdeg":0.5,"speed_mm_s":1}`, `{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":1e99}`,
		`{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":1,"lift_mdeg":45001}`, `{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":1,"lift_mdeg":null}`,
		`{"type":"flick","coin":"m1","angle_mdeg":0,"speed_mm_s":1,"taupiniere":true}`, `{"type":"flick","coin":"mole","angle_mdeg":0,"speed_mm_s":1,"taupiniere":1}`,
		`{"type":"flick","coin":"Mole","angle_mdeg":0,"speed_mm_s":1}`, `{"type":"nasdaq"}`, `{"type":"nasdaq","coin":null}`, `{"type":"nasdaq","coin":""}`,
		`{"type":"nasdaq","coin":"mole","angle_mdeg":0}`, `{"type":"nasdaq","coin":"m1","angle_mdeg":0,"speed_mm_s":1}`,
		`{"type":"place","coin":"m1","angle_mdeg":0,"speed_mm_s":1}`, `{"type":"","coin":"m1","angle_mdeg":0,"speed_mm_s":1}`,
	}
}

// badConfigs are refused.
func badConfigs() []string {
	board := func(change string) string {
		return `{"board":{"w_um":300000,"h_um":450000,"circle":{"at_um":[150000,90000],"r_um":30000},"nichee":[50000,250000,250000,310000],` +
			`"rosserie":[],"loup_um":null,"walls_um":[],"posts":[],"ramp":null` + change + `}}`
	}
	many := `[[1,1,2,2]` + strings.Repeat(`,[1,1,2,2]`, 14) + `]`
	return []string{
		`{"board":"beach"}`, `{"board":null}`, `{"board":{}}`, `{"board":7}`, `{"points":0}`, `{"points":51}`, `{"lead":0}`, `{"lead":11}`, `{"max_rounds":0}`,
		`{"max_rounds":501}`, `{"mole_turns":0}`, `{"mole_turns":101}`, `{"noise":"wild"}`, `{"noise":null}`, `{"noise":0}`, `{"friction_permille":49}`,
		`{"friction_permille":1001}`, `{"restitution_permille":-1}`, `{"restitution_permille":1001}`, `{"mole_max_mm_s":99}`, `{"mole_max_mm_s":5001}`,
		`{"mignette_max_mm_s":99}`, `{"mignette_max_mm_s":5001}`, `{"first_mole":2}`, `{"first_mole":null}`, `{"first_mole":"0"}`, `{"points":1.5}`,
		board(`,"extra":1`), board(`,"w_um":300000`),
		strings.Replace(board(``), `"w_um":300000`, `"w_um":99999`, 1), strings.Replace(board(``), `"h_um":450000`, `"h_um":1000001`, 1),
		strings.Replace(board(``), `"rosserie":[]`, `"rosserie":`+many, 1), strings.Replace(board(``), `"rosserie":[]`, `"rosserie":[[5,5,4,9]]`, 1),
		strings.Replace(board(``), `"walls_um":[]`, `"walls_um":[[[5,5],[5,5]]]`, 1), strings.Replace(board(``), `"walls_um":[]`, `"walls_um":[[[5,5],[5,500000]]]`, 1),
		strings.Replace(board(``), `"walls_um":[]`, `"walls_um":[[[140000,90000],[150000,90000]]]`, 1),
		strings.Replace(board(``), `"posts":[]`, `"posts":[{"at_um":[5,5],"r_um":0}]`, 1), strings.Replace(board(``), `"posts":[]`, `"posts":[{"at_um":[150000,280000],"r_um":200000}]`, 1),
		strings.Replace(board(``), `"loup_um":null`, `"loup_um":-1`, 1), strings.Replace(board(``), `"r_um":30000`, `"r_um":0`, 1),
		strings.Replace(board(``), `[50000,250000,250000,310000]`, `[50000,250000,90000,310000]`, 1),
		strings.Replace(board(``), `"ramp":null`, `"ramp":{"rect":[1,1,9,9],"direction_mdeg":45000,"lip_um":9,"angle_mdeg":1}`, 1),
		strings.Replace(board(``), `"ramp":null`, `"ramp":{"rect":[1,1,9,9],"direction_mdeg":0,"lip_um":10,"angle_mdeg":1}`, 1),
		strings.Replace(board(``), `"ramp":null`, `"ramp":{"rect":[1,1,9,9],"direction_mdeg":0,"lip_um":9,"angle_mdeg":45001}`, 1),
	}
}

func TestBoardsAsObjects(t *testing.T) {
	for name, board := range map[string]mole.Board{"classic": mole.Classic(), "carnival": mole.Carnival()} {
		whole, err := json.Marshal(board)
		must.OK(t, err)
		canonical, err := engine.Configure([]byte(`{"board":`+string(whole)+`}`), 2)
		if err != nil || !strings.Contains(string(canonical), `"board":"`+name+`"`) {
			t.Errorf("%s written out whole becomes %s, %v", name, canonical, err)
		}
		other := strings.Replace(string(whole), `"w_um":300000`, `"w_um":310000`, 1)
		canonical, err = engine.Configure([]byte(`{"board":`+other+`}`), 2)
		if err != nil || !strings.Contains(string(canonical), `"board":`+other) {
			t.Errorf("a board of its own becomes %s, %v", canonical, err)
		}
	}
}
