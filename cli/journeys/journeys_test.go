package journeys_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/molerun/molerun/internal/browsertest"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
)

// patience bounds the wait for what happens by itself, such as a match of a ladder.
const patience = 90 * time.Second

// day is the state of one script: the browser of whoever lives it, opened when first used.
type day struct {
	t       *testing.T
	browser *browsertest.Browser
}

func TestDays(t *testing.T) {
	bin := t.TempDir()
	clitest.Build(t, bin)
	scripts, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(scripts) < 4 {
		t.Fatalf("found the days %v (%v), want four and more", scripts, err)
	}
	bots, err := filepath.Abs("../../bots/python")
	must.OK(t, err)
	for _, script := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(script), ".txt"), func(t *testing.T) {
			t.Parallel()
			d := &day{t: t}
			testscript.RunT(here{t}, testscript.Params{
				Files: []string{script},
				Setup: func(e *testscript.Env) error {
					e.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
					e.Setenv("HOME", e.WorkDir)
					e.Setenv("TZ", "UTC")
					e.Setenv("PYTHONPATH", bots)
					e.Setenv("PYTHONDONTWRITEBYTECODE", "1")
					for _, name := range []string{"API", "METRICS", "METRICS2", "BOT", "RIVAL"} {
						address := clitest.FreeAddress(t)
						_, port, _ := strings.Cut(address, ":")
						e.Setenv(name, address)
						e.Setenv(name+"PORT", port)
					}
					if strings.HasPrefix(filepath.Base(script), "operator") {
						e.Setenv("POSTGRES", storetest.PostgresURL(t))
					}
					return nil
				},
				Cmds: map[string]func(*testscript.TestScript, bool, []string){
					"until":  until,
					"match":  match,
					"listen": listen,
					"ready":  ready,
					"open":   d.open,
					"click":  d.click,
					"see":    d.see,
				},
			})
		})
	}
}

// here runs a script within the test that has it, whose browser fails that test.
type here struct{ *testing.T }

func (h here) Run(_ string, f func(testscript.T)) { f(h) }
func (h here) Parallel()                          {}
func (h here) Verbose() bool                      { return testing.Verbose() }

// run carries out a command as exec does and returns what it printed on both streams.
func run(ts *testscript.TestScript, args []string) string {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TZ", "PYTHONPATH", "MOLERUN_DATABASE", "MOLERUN_TOKEN", "MOLERUN_URL"} {
		if value := ts.Getenv(name); value != "" {
			c.Env = append(c.Env, name+"="+value)
		}
	}
	path, err := lookPath(ts, args[0])
	ts.Check(err)
	c.Path, c.Err = path, nil
	out, _ := c.CombinedOutput()
	return string(out)
}

func lookPath(ts *testscript.TestScript, name string) (string, error) {
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if path := filepath.Join(dir, name); isFile(path) {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, exec.ErrNotFound)
}

func isFile(path string) bool { s, err := os.Stat(path); return err == nil && s.Mode().IsRegular() }

// until REGEXP COMMAND… repeats a command until what it prints matches; people look again.
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until REGEXP COMMAND [ARGUMENT…]")
	}
	want, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	out := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if out = run(ts, args[1:]); want.MatchString(out) {
			return
		}
	}
	ts.Fatalf("%v never printed %s; at last:\n%s", args[1:], args[0], out)
}

// match NAME REGEXP COMMAND… keeps the first group of what a command prints in a variable, as a person would copy it.
func match(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: match NAME REGEXP COMMAND [ARGUMENT…]")
	}
	out := run(ts, args[2:])
	found := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(out)
	if len(found) != 2 {
		ts.Fatalf("%v does not print %s:\n%s", args[2:], args[1], out)
	}
	ts.Setenv(args[0], found[1])
}

// listen ADDRESS waits until a server listens there.
func listen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listen ADDRESS")
	}
	ts.Check(clitest.Listening(args[0], patience))
}

// ready waits until the platform at $API is.
func ready(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: ready")
	}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if r, err := http.Get("http://" + ts.Getenv("API") + "/readyz"); err == nil {
			_ = r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
	}
	ts.Fatalf("the platform at %s is not ready", ts.Getenv("API"))
}

// open PATH opens a page of the platform at $API.
func (d *day) open(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: open PATH")
	}
	if d.browser == nil {
		d.browser = browsertest.New(d.t, "http://"+ts.Getenv("API"))
	}
	d.browser.Open(args[0])
}

// click TEXT clicks what carries this text or name: a link, a button, a label, the summary of a fold.
func (d *day) click(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: click TEXT")
	}
	d.browser.Until(find(args[0]))
	d.browser.Eval(find(args[0])+".click()", nil)
}

// find returns the script that finds what is clicked.
func find(text string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("a, button, summary, label, [role=button], input[type=submit]")].find(
		(e) => e.checkVisibility() && [e.innerText, e.value, e.getAttribute("aria-label"), e.title].some((t) => t && t.trim().startsWith(%s)))`, strconv.Quote(text))
}

// see TEXT waits until the page shows a text; "! see TEXT" holds that it does not.
func (d *day) see(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: [!] see TEXT")
	}
	shows := fmt.Sprintf(`document.body.innerText.toLowerCase().includes(%s)`, strconv.Quote(strings.ToLower(args[0])))
	if !neg {
		d.browser.Until(shows)
		return
	}
	var there bool
	if d.browser.Eval(shows, &there); there {
		ts.Fatalf("the page shows %q", args[0])
	}
}
