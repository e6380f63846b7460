package molehill_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// TestViewsNoMatchCanShowAreRefused spoils one key of a true view at a time.
func TestViewsNoMatchCanShowAreRefused(t *testing.T) {
	m := deal(t, "").walk("b2 c3 d4 d5", "a1-a2", "a2-a3").layNext().do("jump f8") // the gardener is due
	second := deal(t, "").walk("b1 a1", "a1-a2").do("rod b1-b2", "start d4")
	over := deal(t, `{"first_mole":0,"discs":{"orange":1,"black":0}}`).do("start b2", "start d3")
	for _, row := range []struct {
		of   *match
		key  string
		new  string
		want string
	}{
		{m, "round", `0`, "round: want 1 or 2"},
		{m, "round", `3`, "round: want 1 or 2"},
		{m, "round", `2`, "mole_seat: seat 0 cannot be the mole of round 2"},
		{m, "mole_seat", `1`, "mole_seat: seat 1 cannot be the mole of round 1"},
		{m, "mole_seat", `2`, "mole_seat: want 0 or 1"},
		{m, "mole_seat", `-1`, "mole_seat: want 0 or 1"},
		{m, "mole", `"a9"`, "at /mole: the rules give"},
		{m, "mole", `null`, "at /mole: the rules give"},
		{m, "phase", `"move"`, "at /phase: the rules give"},
		{m, "phase", `"sleep"`, "at /phase: the rules give"},
		{m, "jump", `true`, "at /jump: the rules give"},
		{m, "score", `5`, "at /score: the rules give"},
		{m, "scores", `[4]`, "at /scores: the rules give"},
		{m, "discs_left", `16`, "at /discs_left: the rules give"},
		{m, "rods_left", `17`, "at /rods_left: the rules give"},
		{m, "visited", `[]`, "rods: 4 rods and 0 visited squares"},
		{m, "visited", `["b2","c3","d4"]`, "rods: 4 rods and 3 visited squares"},
		{m, "visited", `["b2","c3","d4","d5","d5"]`, "visited[4]: d5 has been visited"},
		{m, "visited", `["b2","c3","d4","f5","f8"]`, "visited[3]: f5 is not next to the mole on d4"},
		{m, "visited", `["b2","c3","d4","h5","f8"]`, "visited[3]: h5 is not on this board"},
		{m, "visited", `["b2","c3","d4","d5","z8"]`, `visited[4]: "z8" is not a square`},
		{m, "visited", `["d5","c4","d4","e5","f8"]`, "visited[4]: f8 is not next to the mole"},
		{m, "rods", `["a1-a2","a1-a2","f1-f2","g1-g2"]`, "rods[1]: the edge a1-a2 has a rod already"},
		{m, "rods", `["a1-a2","b2-a2","f1-f2","g1-g2"]`, "rods[1]: \"b2-a2\" names the higher square first"},
		{m, "rods", `["c3-d3","c3-c4","f1-f2","g1-g2"]`, "visited[2]: rods bar both ways round the corner from c3 to d4"},
		{m, "rods", `["a9-a10","b2-b3","f1-f2","g1-g2"]`, "rods[0]: a10 is not on this board"},
		{m, "flowers", `{"red":["b2","f2","b8"],"white":["d3","b5","f5","d7"]}`, "flowers: at /red: wants 4 squares, not 3"},
		{m, "flowers", `{"red":["b2","f2","b8","b2"],"white":["d3","b5","f5","d7"]}`, "b2 has a flower already"},
		{m, "flowers", `{"red":["b2","f2","b8","g8"],"white":["d3","b5","f5","d7"]}`, "flowers: are not those of the configuration"},
		{second, "scores", `[]`, "scores: want the score of round 1"},
		{second, "scores", `[25]`, "scores: want 0 to 24 for round 1, got 25"},
		{second, "scores", `[-1]`, "scores: want 0 to 24"},
		{second, "scores", `[1,2]`, "at /scores: the rules give"},
		{over, "phase", `"start"`, "at /phase: the rules give"},
		{over, "scores", `[2]`, "at /scores: the rules give"},
		{over, "round", `1`, "mole_seat: seat 1 cannot be the mole of round 1"},
	} {
		config, view := `{"first_mole":0}`, map[string]json.RawMessage{}
		if row.of == over {
			config = `{"first_mole":0,"discs":{"orange":1,"black":0}}`
		}
		must.OK(t, json.Unmarshal(row.of.View(0), &view))
		if _, err := engine.StateFromView([]byte(config), 2, 0, row.of.View(0), game.Seed{}); err != nil {
			t.Fatalf("the true view is refused: %v", err)
		}
		view[row.key] = json.RawMessage(row.new)
		spoilt, err := json.Marshal(view)
		must.OK(t, err)
		if _, err := engine.StateFromView([]byte(config), 2, 0, spoilt, game.Seed{}); !errors.Is(err, game.ErrView) || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s = %s: got %v, want a refusal with %q", row.key, row.new, err, row.want)
		}
	}
}

func TestAViewOfRoundOneCannotShowItsEnd(t *testing.T) {
	view := `{"round":1,"phase":"over","mole_seat":0,"mole":"a1","visited":["a1"],"rods":[],"flowers":{"red":["b2","f2","b8","f8"],"white":["d3","b5","f5","d7"]},"discs_left":0,"rods_left":22,"jump":false,"score":0,"scores":[0]}`
	_, err := engine.StateFromView([]byte(`{"discs":{"orange":1,"black":0}}`), 2, 0, []byte(view), game.Seed{})
	if err == nil || !strings.Contains(err.Error(), "visited[0]: round 1 is over with it") {
		t.Errorf("got %v, want a refusal", err)
	}
}

func TestRandomFlowersOfAViewAreNeverOnTheCentre(t *testing.T) {
	m := deal(t, "")
	view := strings.Replace(string(m.View(0)), `"d3"`, `"d5"`, 1)
	for config, want := range map[string]string{
		`{"flowers":"random"}`: "random flowers never grow on the centre d5",
		`{}`:                   "flowers: are not those of the configuration",
	} {
		if _, err := engine.StateFromView([]byte(config), 2, 0, []byte(view), game.Seed{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want a refusal with %q", config, err, want)
		}
	}
}
