package must_test

import (
	"errors"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// noted notes what ended it.
type noted struct {
	ended []any
	wrong int
}

func (n *noted) Helper()               {}
func (n *noted) Fatal(args ...any)     { n.ended = args }
func (n *noted) Errorf(string, ...any) { n.wrong++ }

func TestAnErrorEndsATest(t *testing.T) {
	var n noted
	if must.OK(&n, nil); n.ended != nil {
		t.Errorf("no error ends the test with %v", n.ended)
	}
	err := errors.New("full")
	if must.OK(&n, err); len(n.ended) != 1 || n.ended[0] != err {
		t.Errorf("an error ends the test with %v", n.ended)
	}
	if got := must.Get(7, nil)(&n); got != 7 {
		t.Errorf("got %d, want what the call returned", got)
	}
}

func TestOnlyTheSameIsTheSame(t *testing.T) {
	var n noted
	if must.Same(&n, "legs", 4, 4); n.wrong != 0 {
		t.Error("what is the same fails a test")
	}
	if must.SameList(&n, "legs", []int{4}, []int{4}); n.wrong != 0 {
		t.Error("the same list fails a test")
	}
	must.SameList(&n, "legs", []int{4}, []int{4, 4})
	if must.Same(&n, "legs", 3, 4); n.wrong != 2 || n.ended != nil {
		t.Errorf("what differs: %d errors, ended with %v", n.wrong, n.ended)
	}
}

func TestATextSaysSomeThingsAndOthersNot(t *testing.T) {
	for _, row := range []struct {
		texts []string
		wrong int
	}{
		{[]string{"fox", "won"}, 0},
		{[]string{"fox", "not", "lost"}, 0},
		{[]string{"hare", "won", "not", "fox", "won"}, 3},
	} {
		var n noted
		if must.Say(&n, "fox won", row.texts...); n.wrong != row.wrong {
			t.Errorf("%q: %d are wrong, want %d", row.texts, n.wrong, row.wrong)
		}
	}
}
