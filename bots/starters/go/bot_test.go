package main

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"
)

func dice(k uint64) *rand.Rand { return rand.New(rand.NewPCG(k, 1)) }

func TestAListIsAnsweredWithAnIndexIntoIt(t *testing.T) {
	turn := message{Offer: offer{List: make([]json.RawMessage, 2)}}
	for k := range uint64(100) {
		if got := choose(turn, dice(k))["choose"]; got != 0 && got != 1 {
			t.Fatalf("got %v, want 0 or 1", got)
		}
	}
}

func TestAFormIsAnsweredWithAnActionMadeOfIt(t *testing.T) {
	var turn message
	text := `{"offer":{"forms":[{"type":"go","fields":[{"name":"who","one_of":["ada","bob"]},{"name":"team","choose":2,"of":[0,1,2,3]},
		{"name":"speed","min":1,"max":9,"unit":"mm/s"}]}],"examples":[]}}`
	if err := json.Unmarshal([]byte(text), &turn); err != nil {
		t.Fatal(err)
	}
	of := []any{0.0, 1.0, 2.0, 3.0}
	for k := range uint64(100) {
		action, _ := choose(turn, dice(k))["action"].(map[string]any)
		team, _ := action["team"].([]any)
		speed, _ := action["speed"].(int)
		if len(action) != 4 || action["type"] != "go" {
			t.Fatalf("got %v, want type go and three fields", action)
		}
		if who := action["who"]; who != "ada" && who != "bob" {
			t.Fatalf("got who %v, want ada or bob", who)
		}
		if len(team) != 2 || team[0] == team[1] || !slices.Contains(of, team[0]) || !slices.Contains(of, team[1]) {
			t.Fatalf("got team %v, want two different ones", team)
		}
		if speed < 1 || speed > 9 {
			t.Fatalf("got speed %d, want 1 to 9", speed)
		}
	}
}

func TestTheSameQuestionGetsTheSameAnswer(t *testing.T) {
	turn := message{Type: "turn", Decision: "dec_1", Offer: offer{List: make([]json.RawMessage, 1000)}}
	if one, two := answer(turn), answer(turn); !reflect.DeepEqual(one, two) || one["decision"] != "dec_1" {
		t.Errorf("got %v and %v, want the same, for dec_1", one, two)
	}
}

func TestHelloEchoesTheChallenge(t *testing.T) {
	if got := answer(message{Type: "hello", Challenge: "abc"})["challenge"]; got != "abc" {
		t.Errorf("got %v, want abc", got)
	}
}

func TestUnknownMessagesAreAnsweredWithNothing(t *testing.T) {
	if got := answer(message{Type: "weather"}); len(got) != 0 {
		t.Errorf("got %v, want {}", got)
	}
}

func TestASlipIsAnError(t *testing.T) {
	noJSON := offer{Forms: []form{{Fields: []field{{Name: "chance", OneOf: []any{math.NaN()}}}}}}
	for name, turn := range map[string]message{"panic": {Type: "turn"}, "no JSON": {Type: "turn", Offer: noJSON}} {
		if out, err := reply(turn); err == nil {
			t.Errorf("%s: got %s, want an error", name, out)
		}
	}
}

func TestOnlyGenuineMessagesAreTaken(t *testing.T) {
	const secret, body = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", `{"protocol":1,"type":"turn"}`
	const id, stamp, signature = "dec_e10b910330c5436d01d1b6442362fa73", "1790000000", "v1,QZH6KClkyKzYz4QF+zxu5zw0I2UFRu/RuF68MAfd528="
	for _, row := range []struct {
		name                       string
		id, stamp, signature, body string
		at                         int64
		want                       bool
	}{
		{"good", id, stamp, signature, body, 1790000100, true},
		{"two signatures", id, stamp, "v1,AAAA " + signature, body, 1790000100, true},
		{"another body", id, stamp, signature, body + " ", 1790000100, false},
		{"another id", "dec_1", stamp, signature, body, 1790000100, false},
		{"no headers", "", "", "", body, 1790000100, false},
		{"too old", id, stamp, signature, body, 1790000301, false},
	} {
		h := http.Header{}
		h.Set("webhook-id", row.id)
		h.Set("webhook-timestamp", row.stamp)
		h.Set("webhook-signature", row.signature)
		if got := genuine(secret, h, []byte(row.body), time.Unix(row.at, 0)); got != row.want {
			t.Errorf("%s: got %v, want %v", row.name, got, row.want)
		}
	}
}
