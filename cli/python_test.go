package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// The examples are deterministic and the seed is fixed, so the series is the same every time.
func TestAPythonBotOf25LinesBeatsRandom(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "bots", "python")
	for _, row := range []struct{ game, seats string }{{"cia", "3"}, {"demol", "5"}} {
		t.Run(row.game, func(t *testing.T) {
			t.Parallel()
			example := filepath.Join(folder, "examples", row.game+".py")
			text := contents(t, example)
			if n := bytes.Count(text, []byte("\n")); n > 25 {
				t.Errorf("%s has %d lines, want at most 25", example, n)
			}
			c := exec.Command("python3", example)
			c.Env = append(os.Environ(), "PORT=0", "HOST=127.0.0.1", "MOLERUN_SECRET="+starterSecret, "PYTHONPATH="+folder, "PYTHONDONTWRITEBYTECODE=1")
			p := clitest.Start(t, c)
			t.Cleanup(p.Kill)
			code, out, errs := call("", "play", row.game, p.Line(t), "random", "--seats", row.seats, "--games", "60", "--seed", "1",
				"--limit", "1m", "--secret", starterSecret, "--out", t.TempDir(), "--json")
			if code != 0 {
				t.Fatalf("exit code %d\n%s", code, errs)
			}
			var summary struct {
				Games, Faults int
				Difference    struct {
					Elo    float64
					EloLow float64 `json:"elo_low"`
				}
			}
			lines := bytes.Split(bytes.TrimSpace([]byte(out)), []byte("\n"))
			must.OK(t, json.Unmarshal(lines[len(lines)-1], &summary))
			if summary.Games != 60 || summary.Faults != 0 {
				t.Errorf("got %d games and %d faults, want 60 and none", summary.Games, summary.Faults)
			}
			if summary.Difference.EloLow <= 0 {
				t.Errorf("got %.0f Elo over random, at least %.0f; want more than 0 for certain", summary.Difference.Elo, summary.Difference.EloLow)
			}
			t.Logf("%.0f Elo over random, at least %.0f", summary.Difference.Elo, summary.Difference.EloLow)
		})
	}
}
