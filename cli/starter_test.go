package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// python starts the starter with a secret and returns its address.
func python(t *testing.T, secret string) string {
	t.Helper()
	cmd := exec.Command("python3", filepath.Join("..", "bots", "starters", "python", "bot.py"))
	cmd.Env = append(os.Environ(), "MOLERUN_SECRET="+secret, "PORT=0")
	out, err := cmd.StdoutPipe()
	must.OK(t, err)
	must.OK(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	must.OK(t, err)
	return strings.TrimSpace(url)
}

func TestThePythonStarterReachesTheLadder(t *testing.T) {
	t.Parallel()
	db := "sqlite:" + filepath.Join(t.TempDir(), "m.db")
	url := serving(t, db)
	oda := organiser(t, db, "oda")
	cup, _ := announce(t, url, oda, nil)
	for i, name := range []string{"ada", "bob"} {
		secret := "whsec_" + strings.Repeat("QUJD", 11) + fmt.Sprintf("%dAAA", i)
		token, bot := author(t, url, name, fields{"name": "python-of-" + name, "url": python(t, secret) + "/", "secret": secret})
		enter(t, url, token, cup, bot)
	}
	begin(t, url, oda, cup)
	var list []any
	waitFor(t, func() bool {
		list, _ = api(t, 200, "", "GET", url+"/v1/ladders/molehill/entries", nil)["data"].([]any)
		return len(list) == 2
	}, new(clitest.Log))
	for _, r := range list {
		row, _ := r.(map[string]any)
		if !strings.HasPrefix(inside(row, "bot"), "python-of-") || row["faults"] != float64(0) {
			t.Errorf("row %v; want a Python bot without faults", row)
		}
	}
}
