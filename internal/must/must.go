package must

import (
	"slices"
	"strings"
)

// T is a test: one of package testing, or of a property.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// OK ends the test at an error.
func OK(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Get returns what a call returned, once it is told whose test it is: must.Get(os.Open(name))(t). It ends the test at an error.
func Get[V any](v V, err error) func(T) V {
	return func(t T) V {
		t.Helper()
		OK(t, err)
		return v
	}
}

// First is [Get] of a call that returns two things, of which the first is wanted.
func First[V, W any](v V, _ W, err error) func(T) V { return Get(v, err) }

// Same fails the test, which goes on, unless got is what is wanted.
func Same[V comparable](t T, what string, got, want V) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// SameList is [Same] of lists.
func SameList[V comparable](t T, what string, got, want []V) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Say fails the test, which goes on, unless what is said has some texts, and none of those that follow "not".
func Say(t T, said string, texts ...string) {
	t.Helper()
	want := true
	for _, text := range texts {
		if text == "not" {
			want = false
		} else if strings.Contains(said, text) != want {
			t.Errorf("%q is there: %v, want %v, in\n%s", text, !want, want, said)
		}
	}
}
