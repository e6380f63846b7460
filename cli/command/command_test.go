package command_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/molerun/molerun/cli/command"
)

func TestNoLineOfAnErrorBeginsWithItsMark(t *testing.T) {
	one, two := fmt.Errorf("%w: --a: usage: 1", command.ErrUsage), fmt.Errorf("%w: --b", command.ErrUsage)
	if got := command.Text(errors.Join(one, two)); got != "--a: usage: 1\n--b" {
		t.Errorf("got %q", got)
	}
}
