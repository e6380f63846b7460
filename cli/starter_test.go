package cli_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/cli"
)

// curl calls the API as an author would, and reads the JSON that comes back.
func curl(t *testing.T, want int, token, method, url, body string) map[string]any {
	t.Helper()
	args := []string{"-s", "--max-time", "30", "-X", method, "-w", "\n%{http_code}", url}
	if token != "" {
		args = append(args, "-H", "Authorization: Bearer "+token)
	}
	if body != "" {
		args = append(args, "-H", "Content-Type: application/json", "-d", body)
	}
	out, err := exec.Command("curl", args...).Output()
	if err != nil {
		t.Fatalf("curl %s %s: %v", method, url, err)
	}
	at := strings.LastIndex(string(out), "\n")
	if code := string(out)[at+1:]; code != fmt.Sprint(want) {
		t.Fatalf("curl %s %s: status %s, want %d\n%s", method, url, code, want, out)
	}
	var v map[string]any
	if err := json.Unmarshal(out[:at], &v); err != nil {
		t.Fatalf("curl %s %s: %v\n%s", method, url, err, out)
	}
	return v
}

// inside follows keys into nested objects.
func inside(v map[string]any, keys ...string) string {
	for _, k := range keys[:len(keys)-1] {
		v, _ = v[k].(map[string]any)
	}
	s, _ := v[keys[len(keys)-1]].(string)
	return s
}

// serving runs `molerun serve` in this process until the test ends, and returns its address.
func serving(t *testing.T, db string) string {
	t.Helper()
	read, write := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	go func() {
		ended <- cli.MainContext(ctx, []string{"serve", "--database", db, "--migrate", "--listen", "127.0.0.1:0", "--metrics", "", "--allow-private-bots", "--log-level", "warn"},
			strings.NewReader(""), write, os.Stderr)
		_ = write.Close()
	}()
	url, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal("serve did not come up")
	}
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("serve ended with %d", code)
		}
	})
	return strings.TrimSpace(url)
}

// python starts the starter with a secret and returns its address.
func python(t *testing.T, secret string) string {
	t.Helper()
	cmd := exec.Command("python3", filepath.Join("..", "bots", "starters", "python", "bot.py"))
	cmd.Env = append(os.Environ(), "MOLERUN_SECRET="+secret, "PORT=0")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(url)
}

func TestThePythonStarterReachesTheLadderWithCurl(t *testing.T) {
	db := "sqlite:" + filepath.Join(t.TempDir(), "m.db")
	url := serving(t, db)
	code, out, errs := call("", "admin", "token", "organiser", "--database", db)
	if code != 0 {
		t.Fatal(errs)
	}
	organiser := strings.TrimSpace(out)

	now := time.Now().UTC()
	start := now.Add(time.Hour).Format(time.RFC3339)
	cup := curl(t, 201, organiser, "POST", url+"/v1/tournaments", fmt.Sprintf(`{"name":"First steps","game":"molehill","table_size":2,"format":"round_robin",
		"cycles":1,"duplicate":true,"rated":true,"capacity":4,"opens_at":%q,"closes_at":%q,"starts_at":%q}`, now.Add(-time.Minute).Format(time.RFC3339), start, start))
	for i, name := range []string{"ada", "bob"} {
		secret := "whsec_" + strings.Repeat("QUJD", 11) + fmt.Sprintf("%dAAA", i)
		token := inside(curl(t, 201, "", "POST", url+"/v1/users", fmt.Sprintf(`{"name":%q}`, name)), "token", "token")
		bot := curl(t, 201, token, "POST", url+"/v1/bots", fmt.Sprintf(`{"name":"python-of-%s","url":%q,"secret":%q}`, name, python(t, secret)+"/", secret))
		curl(t, 201, token, "POST", url+"/v1/tournaments/"+inside(cup, "id")+"/entries", fmt.Sprintf(`{"bot_id":%q}`, inside(bot, "bot", "id")))
	}
	curl(t, 200, organiser, "POST", url+"/v1/tournaments/"+inside(cup, "id")+"/start", "")
	rows := func() []any {
		list, _ := curl(t, 200, "", "GET", url+"/v1/ladders/molehill/entries", "")["data"].([]any)
		return list
	}
	for range 300 { // bounded, not measured
		if len(rows()) == 2 {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	list := rows()
	if len(list) != 2 {
		t.Fatalf("%d bots on the ladder, want 2; the tournament is %v", len(list), curl(t, 200, "", "GET", url+"/v1/tournaments/"+inside(cup, "id"), ""))
	}
	for _, r := range list {
		row, _ := r.(map[string]any)
		if !strings.HasPrefix(inside(row, "bot"), "python-of-") || row["faults"] != float64(0) {
			t.Errorf("row %v; want a Python bot without faults", row)
		}
	}
}
