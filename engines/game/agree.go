package game

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Agree refuses a view that differs from the rules' own. The error names the first difference by a JSON pointer and, if they
// are short, both values.
func Agree(rules, got any) error {
	if reflect.DeepEqual(rules, got) {
		return nil
	}
	if at, why := difference("", plain(rules), plain(got)); why != "" {
		return fmt.Errorf("at %s: %s", at, why)
	}
	return nil
}

// plain converts v to JSON values.
func plain(v any) any {
	var out any
	b, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		panic(fmt.Sprintf("game: a view is not JSON: %v", err))
	}
	return out
}

// difference returns the first place where got is not what the rules give, and how.
func difference(at string, want, got any) (place, why string) {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		keys := slices.AppendSeq(slices.Collect(maps.Keys(want)), maps.Keys(got))
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			if place, why := difference(at+"/"+key, want[key], got[key]); why != "" {
				return place, why
			}
		}
		return "", ""
	case []any:
		got, ok := got.([]any)
		if !ok || len(want) != len(got) {
			break
		}
		for i := range want {
			if place, why := difference(at+"/"+strconv.Itoa(i), want[i], got[i]); why != "" {
				return place, why
			}
		}
		return "", ""
	}
	if reflect.DeepEqual(want, got) {
		return "", ""
	}
	return at, fmt.Sprintf("the rules give %s here, not %s", short(want), short(got))
}

// short returns a JSON value on one line, cut.
func short(v any) string {
	b, err := json.Marshal(v)
	if err != nil || len(b) > 60 {
		return "another value"
	}
	return string(b)
}
