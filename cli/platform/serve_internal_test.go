package platform

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/internal/must"
)

func TestAProcessThatStopsSaysSoBeforeItShutsTheDoor(t *testing.T) {
	s, err := settings.New()
	must.OK(t, err)
	s.Database, s.Listen, s.Metrics, s.Workers, s.Drain = filepath.Join(t.TempDir(), "m.db"), "127.0.0.1:0", "", 0, 8
	ctx, stop := context.WithCancel(t.Context())
	out, told := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, command.Console{Out: told, Err: io.Discard}, s, true, true) }()
	base, err := bufio.NewReader(out).ReadString('\n')
	must.OK(t, err)
	stop()
	for status := http.StatusOK; status != http.StatusServiceUnavailable; {
		answer, err := http.Get(strings.TrimSpace(base) + "/readyz")
		if err != nil {
			t.Fatalf("the door is shut, and /readyz never said so: %v", err)
		}
		status = answer.StatusCode
		_ = answer.Body.Close()
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
