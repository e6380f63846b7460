package controls_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/molerun/molerun/api/web/controls"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

// Whatever an offer allows can be said through the controls, in every game, variant and number of seats: a random legal action is
// filled in with nothing but what the controls show, and arrives as that action.
func TestEveryActionCanBeSaid(t *testing.T) {
	for _, engine := range catalog.All() {
		info := engine.Info()
		t.Run(info.ID, func(t *testing.T) {
			said := 0
			for seed := uint64(0); said < 2000; seed++ {
				variant := info.Variants[seed%uint64(len(info.Variants))]
				seats := info.MinSeats + int(seed)%(info.MaxSeats-info.MinSeats+1)
				table, _, err := engine.New(json.RawMessage(variant.Config), seats, game.Seed{byte(seed), byte(seed >> 8)})
				if err != nil {
					continue // the variant is for other numbers of seats
				}
				for step := 0; step < 150 && table.Due() != 0; step++ {
					var turns []game.Turn
					for seat := range table.Due().Each() {
						action := table.House(seat)
						say(t, engine, table, seat, action)
						turns = append(turns, game.Turn{Seat: seat, Action: action})
						said++
					}
					must.OK(t, table.Repeat(turns))
				}
			}
		})
	}
}

func say(t *testing.T, engine game.Engine, table game.Table, seat game.Seat, action json.RawMessage) {
	t.Helper()
	offer, err := controls.Of(table.Offer(seat), controls.Words{
		Action: func(a json.RawMessage) string { return engine.ActionWordsTo(a, seat) },
		Label:  engine.Label,
		Seat:   func(n int) string { return fmt.Sprint("seat ", n) },
	})
	must.OK(t, err)
	in, err := fill(offer, action)
	if err != nil {
		t.Fatalf("%s cannot be said: %v", action, err)
	}
	got, err := offer.Chosen(in)
	if err != nil {
		t.Fatalf("%s is refused as %v: %v", action, in, err)
	}
	if !same(got, action) {
		t.Fatalf("%s arrives as %s", action, got)
	}
	if err := table.Check(game.Turn{Seat: seat, Action: got}); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
}

// fill chooses what says an action.
func fill(offer controls.Offer, action json.RawMessage) (url.Values, error) {
	for _, choice := range offer.Choices {
		if same(choice.Action, action) {
			return url.Values{"choose": {strconv.Itoa(choice.Index)}}, nil
		}
	}
	var want map[string]any
	if err := json.Unmarshal(action, &want); err != nil {
		return nil, err
	}
	var last error
	for _, form := range offer.Forms {
		if form.Type != want["type"] {
			continue
		}
		in := url.Values{"form": {strconv.Itoa(form.Index)}}
		last = nil
		for _, field := range form.Fields {
			if err := enter(field, want[field.Name], in); err != nil {
				last = fmt.Errorf("%s: %w", field.Words(), err)
			}
		}
		if last == nil {
			return in, nil
		}
	}
	if last == nil {
		last = fmt.Errorf("none of %d choices and %d forms", len(offer.Choices), len(offer.Forms))
	}
	return nil, last
}

// enter fills in one field with a value, as a person would.
func enter(field controls.Field, want any, in url.Values) error {
	name := controls.FieldPrefix + field.Name
	switch want := want.(type) {
	case nil: // left out in the action, where the control has its least value
		want = any(nil)
		if len(field.Parts) == 1 {
			in.Set(name, field.Parts[0].Min)
			return nil
		}
		return tick(field, []any{false}, in)
	case float64:
		if len(field.Parts) != 1 {
			return tick(field, []any{want}, in)
		}
		return number(field, field.Parts[0], want, in)
	case map[string]any:
		for _, part := range field.Parts {
			key := strings.TrimPrefix(part.Key, ".")
			if part.Options == nil {
				n, _ := want[key].(float64)
				if err := number(field, part, n, in); err != nil {
					return err
				}
				continue
			}
			for who, thing := range want {
				if thing != nil && fmt.Sprint(thing) == key {
					if !slices.ContainsFunc(part.Options, func(o controls.Option) bool { return o.Value == who }) {
						return fmt.Errorf("%s is no option of %s", who, part.Words)
					}
					in.Set(name+part.Key, who)
				}
			}
		}
		return nil
	case []any:
		if len(field.Parts) == 0 {
			return tick(field, want, in)
		}
		for i, part := range field.Parts {
			if err := number(field, part, want[i/2].([]any)[i%2].(float64), in); err != nil {
				return err
			}
		}
		return nil
	default:
		return tick(field, []any{want}, in)
	}
}

// number types a number in the unit that the control shows.
func number(field controls.Field, part controls.Part, n float64, in url.Values) error {
	text := strconv.Itoa(int(n))
	if !field.Whole() {
		text = strconv.FormatFloat(n/1000, 'f', 3, 64)
	}
	low, err1 := strconv.ParseFloat(part.Min, 64)
	high, err2 := strconv.ParseFloat(part.Max, 64)
	shown, err3 := strconv.ParseFloat(text, 64)
	if err1 != nil || err2 != nil || err3 != nil || shown < low || shown > high {
		return fmt.Errorf("%s is not in %s to %s", text, part.Min, part.Max)
	}
	in.Set(controls.FieldPrefix+field.Name+part.Key, text)
	return nil
}

// tick takes options by their values.
func tick(field controls.Field, want []any, in url.Values) error {
	for _, value := range want {
		k := slices.IndexFunc(field.Options, func(o controls.Option) bool {
			var v any
			return json.Unmarshal([]byte(o.Value), &v) == nil && reflect.DeepEqual(v, value)
		})
		if k < 0 {
			return fmt.Errorf("%v is no option", value)
		}
		in.Add(controls.FieldPrefix+field.Name, field.Options[k].Value)
	}
	return nil
}

// same compares actions: what is left out is false or 0, and members of a set have no order.
func same(a, b json.RawMessage) bool {
	var x, y map[string]any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false
	}
	for _, action := range []map[string]any{x, y} {
		maps.DeleteFunc(action, func(key string, v any) bool { return v == false || key == "lift_mdeg" && v == 0.0 })
		if members, ok := action["members"].([]any); ok {
			slices.SortFunc(members, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
	return reflect.DeepEqual(x, y)
}

// plain says everything as the protocol does.
var plain = controls.Words{
	Action: func(json.RawMessage) string { return "" },
	Label:  func(string) string { return "" },
	Seat:   func(n int) string { return fmt.Sprint("seat ", n) },
}

// A refusal names every field that is wrong and keeps what was filled in.
func TestWhatIsWrongIsNamedAndKept(t *testing.T) {
	for _, row := range []struct {
		name, field string
		in          url.Values
		want        string
	}{
		{"too few points", `"domain":{"share":4,"among":["red","blue"]}`, url.Values{"field.x.red": {"1"}, "field.x.blue": {"2"}}, "x want 4 in all, you gave 3"},
		{"less than none", `"domain":{"share":4,"among":["red","blue"]}`, url.Values{"field.x.red": {"-1"}, "field.x.blue": {"5"}}, "x red: wants a whole number 0 to 4"},
		{"one agent twice", `"domain":{"give":[0,1],"among":["red","blue","grey"]}`, url.Values{"field.x.0": {"red"}, "field.x.1": {"red"}}, "x name red twice: want another for each"},
		{"an agent for nobody", `"domain":{"give":[0,1],"among":["red","blue","grey"]}`, url.Values{"field.x.0": {"red"}}, "x want one of 3 for seat 1"},
		{"a stranger", `"domain":{"give":[0],"among":["red","blue"]}`, url.Values{"field.x.0": {"\"}"}}, "x want one of 2 for seat 0"},
		{"outside", `"choose":1,"of":[[2000,3000]],"unit":"um","domain":{"within":[1000,1000,5000,5500],"gap":10}`, url.Values{"field.x.0.x": {"1.5"}, "field.x.0.y": {"5.501"}}, "x in mm 1, from the bottom wants a number 1 to 5.5, with at most three decimals"},
		{"four decimals", `"min":0,"max":9000,"unit":"mdeg"`, url.Values{"field.x": {"1.2345"}}, "x in degrees wants a number 0 to 9, with at most three decimals"},
		{"no number", `"min":1,"max":9`, url.Values{"field.x": {"1.5"}}, "x wants a whole number 1 to 9"},
	} {
		t.Run(row.name, func(t *testing.T) {
			offer, err := controls.Of(json.RawMessage(`{"forms":[{"type":"t","fields":[{"name":"x",`+row.field+`}]}],"examples":[]}`), plain)
			must.OK(t, err)
			row.in.Set("form", "0")
			if _, err := offer.Chosen(row.in); err == nil || err.Error() != row.want {
				t.Errorf("got %v, want %s", err, row.want)
			}
			for _, part := range offer.Forms[0].Fields[0].Parts {
				if given := row.in.Get("field.x" + part.Key); part.Value != given {
					t.Errorf("%s keeps %q, want %q", part.Words, part.Value, given)
				}
			}
		})
	}
}

// On a board with both, a tap on a mission is none on the seat of its number.
func TestTheBoardTellsAMissionFromASeat(t *testing.T) {
	engine, _ := catalog.Find("demol")
	table, _, err := engine.New(json.RawMessage(`{"targeting":true}`), 5, game.Seed{1})
	must.OK(t, err)
	leader := table.Due().Lowest()
	board, err := table.Draw(leader, nil)
	must.OK(t, err)
	offer, err := controls.Of(table.Offer(leader), controls.Words{Action: engine.ActionWords, Label: engine.Label})
	if err != nil || len(offer.Choices) == 0 {
		t.Fatalf("got %+v, %v", offer, err)
	}
	for _, choice := range offer.Choices {
		var action struct {
			Members []int
			Mission int
		}
		var places, want []string
		must.OK(t, errors.Join(json.Unmarshal(choice.Action, &action), json.Unmarshal([]byte(choice.Places), &places)))
		for _, seat := range action.Members {
			want = append(want, strconv.Itoa(seat))
		}
		if want = append(want, fmt.Sprintf("mission %d", action.Mission)); !slices.Equal(places, want) {
			t.Errorf("%s is about %q, want %q", choice.Action, places, want)
		}
		for _, place := range places {
			if !strings.Contains(string(board), `data-at="`+place+`"`) {
				t.Errorf("%s is about %s, which is not on the board", choice.Action, place)
			}
		}
	}
}
