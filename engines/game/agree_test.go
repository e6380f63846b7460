package game

import (
	"strings"
	"testing"
)

// A refusal names the first place that is wrong and both values, where they are short.
func TestADifferenceIsNamed(t *testing.T) {
	long := func(n int) any { return strings.Repeat("x", n-2) } // n bytes as JSON
	for _, x := range []struct {
		want, got any
		at, why   string
	}{
		{1.0, 1.0, "", ""},
		{1.0, 2.0, "", "the rules give 1 here, not 2"},
		{map[string]any{"a": 1.0, "b": 2.0}, map[string]any{"a": 1.0, "b": 3.0}, "/b", "the rules give 2 here, not 3"},
		{map[string]any{"a": 1.0}, map[string]any{"b": 1.0}, "/a", "the rules give 1 here, not null"},
		{map[string]any{"a": 1.0}, []any{}, "", `the rules give {"a":1} here, not []`},
		{[]any{1.0, 2.0}, []any{1.0, 4.0}, "/1", "the rules give 2 here, not 4"},
		{[]any{1.0, 2.0}, []any{1.0}, "", "the rules give [1,2] here, not [1]"},
		{[]any{1.0}, "x", "", `the rules give [1] here, not "x"`},
		{long(60), long(61), "", "the rules give " + `"` + strings.Repeat("x", 58) + `"` + " here, not another value"},
	} {
		if at, why := difference("", x.want, x.got); at != x.at || why != x.why {
			t.Errorf("%v and %v: want %q %q, got %q %q", x.want, x.got, x.at, x.why, at, why)
		}
	}
}
