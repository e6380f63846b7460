package must_test

import (
	"errors"
	"testing"

	"github.com/molerun/molerun/internal/must"
)

// noted notes what ended it.
type noted struct{ ended []any }

func (n *noted) Helper()           {}
func (n *noted) Fatal(args ...any) { n.ended = args }

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
