package gate

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"

	"github.com/molerun/molerun/tournament"
)

func TestADatabaseThatIsAwayIsNoInternalError(t *testing.T) {
	gone := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for _, row := range []struct {
		err  error
		want int
	}{
		{fmt.Errorf("ladders: %w", gone), http.StatusServiceUnavailable},
		{errors.New("ladders: no such column"), http.StatusInternalServerError},
		{fmt.Errorf("%w: %w", tournament.ErrBot, gone), http.StatusUnprocessableEntity}, // a bot that is away
	} {
		if k := KindOf(row.err); k.Status != row.want {
			t.Errorf("%v: status %d, want %d", row.err, k.Status, row.want)
		}
	}
}
