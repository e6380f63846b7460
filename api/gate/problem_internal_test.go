package gate

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

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

// TestAnAnswerThatBreaksOffIsLoggedAndCutOff: a reader must not take what they got for the whole, and the operator hears of it.
func TestAnAnswerThatBreaksOffIsLoggedAndCutOff(t *testing.T) {
	var log bytes.Buffer
	g := &Gate{Config: Config{Log: slog.New(slog.NewJSONHandler(&log, nil))}}
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequest(http.MethodGet, "/v1/x", nil)
	c.Set(keyRequestID, "abc123")
	if _, err := c.Writer.WriteString("half"); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() {
			if p := recover(); p != any(http.ErrAbortHandler) {
				t.Errorf("got %v, want the connection cut off", p)
			}
		}()
		g.fail(c, Route{Path: "/v1/x"}, errors.New("the disk is gone"))
	}()
	for _, want := range []string{"answer broke off", "abc123", "the disk is gone", "ERROR"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log says %s, want %q in it", log.String(), want)
		}
	}
	if !c.GetBool(keyBroken) {
		t.Error("the line of the request does not say that it broke off")
	}
}
