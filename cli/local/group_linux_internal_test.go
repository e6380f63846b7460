package local

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/internal/must"
)

// A bot that a script starts ends with it, at once.
func TestWhatAProgramHasStartedEndsWithIt(t *testing.T) {
	ports := t.TempDir()
	t.Setenv(botFolder, ports)
	for name, line := range map[string]string{
		"a script":                      "sh -c " + command.Quoted(self(t)+"; exit"),
		"a script that leaves it alone": "sh -c " + command.Quoted(self(t)+" & sleep 100"),
	} {
		p, err := startBot(t.Context(), line, []string{"SKILL=1"})
		must.OK(t, err)
		began := time.Now()
		p.stop()
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: took %v to end", name, took)
		}
	}
	files := must.Get(os.ReadDir(ports))(t)
	if len(files) != 2 {
		t.Fatalf("%d bots were started, want 2", len(files))
	}
	for _, f := range files {
		for until := time.Now().Add(stopLimit); ; time.Sleep(10 * time.Millisecond) { // one that is killed takes a moment
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+f.Name())
			if err != nil {
				break
			}
			if must.OK(t, conn.Close()); time.Now().After(until) {
				t.Fatalf("a bot is left at port %s", f.Name())
			}
		}
	}
}

// A tuning ends when its bot does, however much there is to play.
func TestATuningEndsWithItsBot(t *testing.T) {
	t.Setenv(botFolder, t.TempDir())
	state := filepath.Join(t.TempDir(), "state.json")
	began := time.Now()
	_, _, err := tune(t, "molehill", "--cmd", "timeout 1 "+self(t), "--param", "SKILL=0.3:0.0:1.0", "--pairs", "5000", "--state", state)
	if took := time.Since(began); err == nil || !strings.Contains(err.Error(), "the bot has ended") || strings.Contains(err.Error(), "canceled") || took > time.Minute {
		t.Errorf("got %v after %v, want that the bot has ended", err, took)
	}
}
