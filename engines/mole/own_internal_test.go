package mole

import "testing"

// The quick way of reading takes nothing that would be read otherwise by the careful way.
func TestOwnWordsAreReadTheQuickWayAndOnlyThose(t *testing.T) {
	flick := Action{Type: Flick, Coin: M2, Angle: 359_999, Speed: 1, Lift: maxLift}
	for _, row := range []struct {
		text string
		want Action
		own  bool
	}{
		{`{"type":"nasdaq","coin":"mole"}`, Action{Type: Nasdaq}, true},
		{`{"type":"nasdaq","coin":"m3"}`, Action{Type: Nasdaq, Coin: M3}, true},
		{`{"type":"flick","coin":"m2","angle_mdeg":359999,"speed_mm_s":1,"lift_mdeg":45000,"taupiniere":false}`, flick, true},
		{`{"type":"flick","coin":"mole","angle_mdeg":0,"speed_mm_s":2147483647,"lift_mdeg":0,"taupiniere":true}`, Action{Type: Flick, Speed: 1<<31 - 1, Taupiniere: true}, true},
		{`{"type":"flick","coin":"m2","angle_mdeg":359999,"speed_mm_s":1,"taupiniere":false,"lift_mdeg":45000}`, flick, false},
		{`{"type":"flick","coin":"m2","angle_mdeg": 359999,"speed_mm_s":1,"lift_mdeg":45000,"taupiniere":false}`, flick, false},
		{`{"coin":"m3","type":"nasdaq"}`, Action{Type: Nasdaq, Coin: M3}, false},
		{`{"type":"place","at":[[1,2],[3,4],[5,6]]}`, Action{At: [Mignettes]Point{{1, 2}, {3, 4}, {5, 6}}}, true},
		{`{"type":"place","at":[[-1,2],[3,4],[5,-6]]}`, Action{At: [Mignettes]Point{{-1, 2}, {3, 4}, {5, -6}}}, false},
		{`{"at":[[1,2],[3,4],[5,6]],"type":"place"}`, Action{At: [Mignettes]Point{{1, 2}, {3, 4}, {5, 6}}}, false},
	} {
		var a Action
		if own := a.readOwn([]byte(row.text)); own != row.own || own && a != row.want {
			t.Errorf("%s: read the quick way: %v, %+v, want %v, %+v", row.text, own, a, row.own, row.want)
		}
		if err := a.UnmarshalJSON([]byte(row.text)); err != nil || a != row.want {
			t.Errorf("%s: got %+v, %v, want %+v", row.text, a, err, row.want)
		}
	}
	for _, text := range []string{
		``, `{`, `{}`, `null`, `"":"":,,`,
		`{"type":"nasdaq","coin":"m4"}`, `{"type":"nasdaq","coin":"m1"} `, `{"type":"nasdaq","coin":"m1","coin":"m1"}`,
		`{"type":"place","at":[[1,2],[3,4],[5,6],[7,8]]}`, `{"type":"place","at":[[1,2],[3,4],[5,6]]}}`, `{"type":"place","at":[[1,2],[3,4],[5]]}`,
		`{"type":"flick","coin":"m2","angle_mdeg":01,"speed_mm_s":1,"lift_mdeg":0,"taupiniere":false}`,
		`{"type":"flick","coin":"m2","angle_mdeg":-5,"speed_mm_s":1,"lift_mdeg":0,"taupiniere":false}`,
		`{"type":"flick","coin":"m2","angle_mdeg":4294967297,"speed_mm_s":1,"lift_mdeg":0,"taupiniere":false}`,
		`{"type":"flick","coin":"m2","angle_mdeg":1,"speed_mm_s":1,"lift_mdeg":0,"taupiniere":null}`,
	} {
		var a Action
		if a.readOwn([]byte(text)) || a != (Action{}) {
			t.Errorf("%s: was read the quick way, as %+v", text, a)
		}
	}
}
