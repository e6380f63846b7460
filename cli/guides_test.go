package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// The guides are run as they stand: every fenced block of a page says what it is. "sh" is run as it is, "console" is
// commands after "$ " with what they print, which is held against what they do print; "text", "json", "python", "yaml" and
// "mermaid" are no commands.

// guidePages returns the pages with commands, in the order in which they are read.
func guidePages(t *testing.T) (pages []string) {
	t.Helper()
	for _, pattern := range []string{"../README.md", "../docs/*.md", "../docs/rules/*.md", "../docs/decisions/*.md", "../bots/*/README.md", "../deploy/*.md"} {
		list, err := filepath.Glob(pattern)
		must.OK(t, err)
		pages = append(pages, list...)
	}
	if len(pages) < 20 {
		t.Fatalf("found %d pages, want all", len(pages))
	}
	return pages
}

// fenced is a block of a page.
type fenced struct {
	page, kind string
	line       int
	body       []string
}

func (b fenced) String() string {
	return fmt.Sprintf("%s:%d", strings.TrimPrefix(b.page, "../"), b.line)
}

func blocksOf(t *testing.T, page string) (out []fenced) {
	t.Helper()
	text := contents(t, page)
	var open *fenced
	for i, line := range strings.Split(string(text), "\n") {
		kind, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case fence && open == nil:
			open = &fenced{page: page, kind: kind, line: i + 1}
		case fence:
			out, open = append(out, *open), nil
		case open != nil:
			open.body = append(open.body, line)
		}
	}
	return out
}

// notRun are the commands of the guides that no test of the guides runs: why, and what is checked instead, in the root of
// the repository.
var notRun = []struct{ prefix, reason, instead string }{
	{"go run . demo", "minutes on a slow machine; TestTheDemoEndsWellAndItsRecordsVerify plays it", "molerun demo --help"},
	{"make setup test", "this test is a part of it", "make -n setup test"},
	{"pip install ./bots/python", "not every Python has pip; TestTheWheelHoldsThePackage builds what it installs", "PYTHONPATH=bots/python python3 -Bc 'import molerun'"},
	{".ci/mutate", "hours", "bash -n .ci/mutate"},
	{"FILES='^(view|vote)\\.go$' .ci/mutate", "hours", "bash -n .ci/mutate"},
}

// before is what has to have happened before a block, where the page leaves it to the reader: who else is there.
var before = map[string]string{
	`molerun bot matches`:       `until env molerun bot matches mine | grep -q ' of 2'; do sleep 0.2; done`,
	`replay MATCH`:              `MATCH=$(env molerun bot matches mine --json | env python3 -c 'import json,sys; print(json.loads(sys.stdin.readlines()[0])["id"])')`,
	`molerun sprt`:              `molerun house random --listen 127.0.0.1:8001`,
	`molerun replay verify DIR`: `cd "$WORLD/clone"`, // a reader has a terminal there
	`molerun replay fork`:       `molerun init python && python3 bot.py`,
	`# 2 the bot`:               `molerun init python && python3 bot.py`,
	`# 4 afterwards`: `
env curl -sf -o start -X POST "$URL/v1/tournaments/$CUP/start" -H "Authorization: Bearer $ORGANISER"
until
MATCH=$(env curl -sf "$URL/v1/bots/$BOT/matches" | env python3 -c 'import json,sys; print([m["id"] for m in json.load(sys.stdin)["data"] if m["seats"][0]["bot"] != "house-random"][0])' 2>&-); do sleep 0.2; done`,
	`/versions -H`:      `molerun house greedy --listen 127.0.0.1:8001`,
	`"format":"sprt"`:   `OLD=$(env curl -sf "$URL/v1/bots/$BOT/versions" | env python3 -c 'import json,sys; print(json.load(sys.stdin)["data"][-1]["id"])')`,
	`/v1/challenges -H`: `OTHER=$RIVAL`,
	`< token.txt`:       `printf '%s\n' "$ORGANISER" > token.txt`,
	`tournament start "friday cup"`: `
molerun house greedy --listen 127.0.0.1:8001
CUP=$(env molerun tournament show "friday cup" --json | env python3 -c 'import json,sys; print(json.load(sys.stdin)["id"])')
env molerun bot create guest http://127.0.0.1:8001/
env molerun bot enter guest "$CUP"
env molerun bot enter house-random "$CUP"`,
}

// preamble makes the commands of the guides those of this test. Servers go to the background until the page ends; a page that asks for
// another where one is, ends that first.
const preamble = `
set -euo pipefail
exec 2>&1
up() { # up KEY COMMAND...: a server, which prints its address
  local key=$1; shift
  if [ -f "$WORLD/$key.pid" ]; then kill "$(cat "$WORLD/$key.pid")"; while kill -0 "$(cat "$WORLD/$key.pid")" 2>&-; do sleep 0.05; done; fi
  "$@" >"$WORLD/$key.out" 2>"$WORLD/$key.err" 3>&- &
  echo $! >"$WORLD/$key.pid"
  for _ in $(seq 900); do if grep -q http:// "$WORLD/$key.out" "$WORLD/$key.err"; then return 0; fi; sleep 0.1; done
  cat "$WORLD/$key.err"; echo "$*: no address within 90 s"; exit 1
}
molerun() {
  case "$1" in
    serve) up serve env molerun "$@" ;;
    connect) up connect env molerun "$@" ;;
    house) up "house$(printf %s "$*" | tr -dc 0-9)" env molerun "$@" ;;
    sprt) local code=0; env molerun "$@" || code=$?; [[ $code =~ ^[034]$ ]] ;; # not stronger, not known: answers too
    *) env molerun "$@" ;;
  esac
}
go() {
  case "$*" in
    "run . "*) shift 2; molerun "$@" ;;
    "build -o molerun .") ln -sf "$BINARY" molerun ;;
    *) env go "$@" ;;
  esac
}
python3() { if [ "$1" = bot.py ]; then up bot env python3 "$@"; else env python3 "$@"; fi; }
node() { if [ "$1" = bot.js ]; then up bot env node "$@"; else env node "$@"; fi; }
curl() {
  case " $* " in
    *" -N "*) local code=0; env curl --fail-with-body --max-time 2 "$@" || code=$?; [ $code -eq 0 ] || [ $code -eq 28 ] ;; # a stream that goes on
    *) env curl --fail-with-body --max-time 60 "$@" ;;
  esac
}
`

// guide is the world in which a page is run.
type guide struct {
	t          *testing.T
	world      string
	env        []string
	substitute *strings.Replacer
}

// newGuide returns a folder with records to look at.
func newGuide(t *testing.T, binary, records string) *guide {
	t.Helper()
	g := &guide{t: t, world: t.TempDir()}
	home, clone, path := filepath.Join(g.world, "home"), filepath.Join(g.world, "clone"), filepath.Join(g.world, "path")
	for _, dir := range []string{home, clone, path, filepath.Join(clone, "DIR"), filepath.Join(clone, "replays")} {
		must.OK(t, os.Mkdir(dir, 0o755))
	}
	files, err := filepath.Glob(filepath.Join(records, "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no records: %v", err)
	}
	bots, err := filepath.Abs("../bots")
	must.OK(t, err)
	links := map[string]string{filepath.Join(path, "molerun"): binary, filepath.Join(clone, "FILE"): files[0], filepath.Join(clone, "bots"): bots}
	for _, f := range files {
		links[filepath.Join(clone, "DIR", filepath.Base(f))] = f
		links[filepath.Join(clone, "replays", filepath.Base(f))] = f
	}
	for link, to := range links {
		must.OK(t, os.Symlink(to, link))
	}
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		_, rest, _ := strings.Cut(string(b), `"challenge":"`)
		challenge, _, _ := strings.Cut(rest, `"`)
		_, _ = fmt.Fprintf(w, `{"challenge":%q}`, challenge)
	}))
	t.Cleanup(hook.Close)
	port := func() string { _, p, _ := net.SplitHostPort(clitest.FreeAddress(t)); return p }
	one, two, api := port(), port(), port()
	g.env = append(os.Environ(),
		"HOME="+home, "XDG_CONFIG_HOME="+home, "PATH="+path+":"+os.Getenv("PATH"), "WORLD="+g.world, "BINARY="+binary, "MOLERUN_SECRET=", "NO_COLOR=1",
		"PORT="+one, "MOLERUN_LISTEN=127.0.0.1:"+api, "MOLERUN_METRICS=", "PYTHONPATH="+filepath.Join(bots, "python"), "PYTHONDONTWRITEBYTECODE=1")
	g.substitute = strings.NewReplacer(
		"127.0.0.1:8000", "127.0.0.1:"+one, "127.0.0.1:8001", "127.0.0.1:"+two, "127.0.0.1:8080", "127.0.0.1:"+api,
		"https://molerun.example.org", "$URL", "https://bot.example.org", "http://127.0.0.1:"+one, "https://example.org/molerun", hook.URL,
		"whsec_…", "whsec_QUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUJDQUM=", " TOURNAMENT", " $TOURNAMENT", " MATCH", " $MATCH")
	return g
}

// platform starts one for a script that asks for it: a tournament takes entries there, and the organiser's bot is in it and takes challenges.
func (g *guide) platform(script string) {
	g.t.Helper()
	if !regexp.MustCompile(`\$(URL|CUP|TOURNAMENT|ORGANISER|RIVAL)\b`).MatchString(script) {
		return
	}
	db := "sqlite:" + filepath.Join(g.world, "m.db")
	url := serving(g.t, db)
	oda := organiser(g.t, db, "organiser")
	cup, _ := announce(g.t, url, oda, fields{"name": "Guides"})
	rival := inside(api(g.t, 201, oda, "POST", url+"/v1/bots", fields{"name": "house-random", "url": random(g.t, 1).URL + "/"}), "bot", "id")
	api(g.t, 200, oda, "PATCH", url+"/v1/bots/"+rival, fields{"takes_challenges": true})
	enter(g.t, url, oda, cup, rival)
	g.env = append(g.env, "URL="+url, "CUP="+cup, "TOURNAMENT="+cup, "ORGANISER="+oda, "RIVAL="+rival)
}

// end ends the servers that a page has left.
func (g *guide) end() {
	pids, _ := filepath.Glob(filepath.Join(g.world, "*.pid"))
	for _, file := range pids {
		var pid int
		if b, err := os.ReadFile(file); err == nil {
			if _, err := fmt.Sscan(string(b), &pid); err == nil && pid > 1 {
				_ = syscall.Kill(pid, syscall.SIGTERM)
			}
		}
	}
}

// answer is what the commands of a console block print, as the page shows it.
type answer struct {
	block fenced
	lines []string
}

// run runs the blocks of a page one after the other in one shell.
func (g *guide) run(blocks []fenced) {
	var script strings.Builder
	script.WriteString(preamble)
	var shown []answer
	for _, b := range blocks {
		if b.kind != "sh" && b.kind != "console" {
			continue
		}
		for part, setup := range before {
			if setup != "" && strings.Contains(strings.Join(b.body, "\n"), part) {
				script.WriteString(g.substitute.Replace(setup) + "\n")
			}
		}
		for i, line := range b.body {
			command, prompt := strings.CutPrefix(line, "$ ")
			switch {
			case slices.ContainsFunc(notRun, func(n struct{ prefix, reason, instead string }) bool { return strings.HasPrefix(command, n.prefix) }):
			case b.kind == "sh":
				script.WriteString(g.substitute.Replace(line) + "\n")
			case prompt:
				rest := b.body[i+1:]
				if end := slices.IndexFunc(rest, func(l string) bool { return strings.HasPrefix(l, "$ ") }); end >= 0 {
					rest = rest[:end]
				}
				shown = append(shown, answer{b, rest})
				fmt.Fprintf(&script, "echo '@@ shown %d'\n%s\necho '@@ end'\n", len(shown)-1, g.substitute.Replace(command))
			}
		}
	}
	g.platform(script.String())
	g.t.Cleanup(g.end) // before the platform ends
	ctx, cancel := context.WithTimeout(g.t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script.String()+"\necho '@@ all'\n")
	cmd.Dir, cmd.Env, cmd.WaitDelay = filepath.Join(g.world, "clone"), g.env, 10*time.Second
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil || !strings.HasSuffix(out.String(), "@@ all\n") {
		g.t.Errorf("%v, after:\n%s", err, out.String())
		return
	}
	for i, a := range shown {
		_, rest, _ := strings.Cut(out.String(), fmt.Sprintf("@@ shown %d\n", i))
		got, _, _ := strings.Cut(rest, "@@ end\n")
		if why := differs(a.lines, strings.Split(strings.TrimRight(got, "\n"), "\n")); why != "" {
			g.t.Errorf("%s: %s\nshown:\n%s\nprinted:\n%s", a.block, why, strings.Join(a.lines, "\n"), got)
		}
	}
}

var varies = regexp.MustCompile(`https?://[^ ]+|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|-?[0-9]+(?:[.,][0-9]+)*|…| +|[-+]{3,}`)

// shape returns what a line shown may look like: numbers, ids, addresses and widths vary, and "…" is anything.
func shape(line string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	at := 0
	for _, m := range varies.FindAllStringIndex(line, -1) {
		b.WriteString(regexp.QuoteMeta(line[at:m[0]]))
		switch token := line[m[0]:m[1]]; {
		case token == "…":
			b.WriteString(".*")
		case strings.HasPrefix(token, "http"):
			b.WriteString(`https?://[^ ]+`)
		case strings.HasPrefix(token, " "):
			b.WriteString(" +")
		case strings.HasPrefix(token, "--") || strings.HasPrefix(token, "+"):
			b.WriteString("[-+]+")
		case len(token) >= 16:
			b.WriteString("[0-9a-f-]+")
		default:
			b.WriteString(`-?[0-9]+(?:[.,][0-9]+)*`)
		}
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(line[at:]) + "$")
	return regexp.MustCompile(b.String())
}

// differs tells where lines printed have not the shape of those shown; a line "…" is any number of lines.
func differs(shown, printed []string) string {
	for i, line := range shown {
		if line == "…" {
			for skip := range len(printed) + 1 {
				if differs(shown[i+1:], printed[skip:]) == "" {
					return ""
				}
			}
			return "nothing printed fits what is shown after …"
		}
		if len(printed) == 0 {
			return fmt.Sprintf("line %q is not printed", line)
		}
		if !shape(line).MatchString(printed[0]) {
			return fmt.Sprintf("printed is %q where %q is shown", printed[0], line)
		}
		printed = printed[1:]
	}
	if len(printed) > 0 {
		return fmt.Sprintf("%q is printed and not shown", printed[0])
	}
	return ""
}

func TestAnOutputIsHeldAgainstTheShapeOfWhatIsShown(t *testing.T) {
	for _, row := range []struct {
		shown, printed string
		fits           bool
	}{
		{"match 1 of 2: 0.5 ms", "match 17 of 20: 12 ms", true},
		{"at http://127.0.0.1:8000, greedy", "at http://127.0.0.1:41481, greedy", true},
		{"at http://127.0.0.1:8000, greedy", "at nowhere, greedy", false},
		{"id 01a1fed8-346b-7000-aad6-251cd977f620", "id 01a1fede-8e7e-7000-af73-c3b62fb71248", true},
		{"| a   | b |", "| a | b |", true},
		{"right: 27, faults: 0", "right: 27", false},
		{"faults: 0", "faults: many", false},
		{"a\n…\nz", "a\nb\nc\nz", true},
		{"a\n…\nz", "a\nb\nc", false},
		{"a", "a\nb", false},
		{"a\nb", "a", false},
		{`"events":[…],"due":[1]`, `"events":[{"kind":"x"}],"due":[0]`, true},
	} {
		why := differs(strings.Split(row.shown, "\n"), strings.Split(row.printed, "\n"))
		if (why == "") != row.fits {
			t.Errorf("%q shown for %q printed: got %q, want it to fit: %v", row.shown, row.printed, why, row.fits)
		}
	}
}

func TestEveryCommandOfTheGuidesRunsAndPrintsWhatTheyShow(t *testing.T) {
	t.Parallel()
	binary, records := molerun(t), t.TempDir()
	told(t, "", "play", "molehill", "greedy", "random", "--out", records)
	for _, page := range guidePages(t) {
		blocks := blocksOf(t, page)
		if slices.ContainsFunc(blocks, func(b fenced) bool { return b.kind == "sh" || b.kind == "console" }) {
			t.Run(filepath.Base(page), func(t *testing.T) {
				t.Parallel()
				newGuide(t, binary, records).run(blocks)
			})
		}
	}
}

var command = regexp.MustCompile(`^\s*(\$ )?(\./)?(molerun|go|make|docker|curl|python3|node|\.ci/\w+)\b`)

func TestEveryBlockOfTheGuidesSaysWhatItIsAndWhatIsNotRunIsChecked(t *testing.T) {
	used := map[string]bool{}
	for _, page := range guidePages(t) {
		for _, b := range blocksOf(t, page) {
			commands := slices.ContainsFunc(b.body, command.MatchString)
			switch b.kind {
			case "sh", "console":
				for _, n := range notRun {
					for _, line := range b.body {
						used[n.prefix] = used[n.prefix] || strings.HasPrefix(strings.TrimPrefix(line, "$ "), n.prefix)
					}
				}
			case "text", "json", "python", "yaml", "mermaid":
				if commands {
					t.Errorf("%s: a block of %s holds a command; make it sh or console", b, b.kind)
				}
			default:
				t.Errorf("%s: a block of kind %q; want sh, console, text, json, python, yaml or mermaid", b, b.kind)
			}
		}
	}
	for _, n := range notRun {
		if !used[n.prefix] {
			t.Errorf("%q is in the list of what is not run, and in no guide", n.prefix)
		}
		if rest, ours := strings.CutPrefix(n.instead, "molerun "); ours {
			told(t, "", strings.Fields(rest)...)
			continue
		}
		cmd := exec.Command("bash", "-c", n.instead)
		cmd.Dir = ".."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s (in place of %s): %v\n%s", n.instead, n.prefix, err, out)
		}
	}
}

var (
	inline   = regexp.MustCompile("`((?:molerun|go run \\.|make|go test|docker compose|\\.ci/[a-z-]+) [^`]+)`")
	word     = regexp.MustCompile(`^[a-z][a-z-]*$`)
	longFlag = regexp.MustCompile(`--[a-z][a-z0-9-]*`)
	aTest    = regexp.MustCompile(`func (?:Test|Fuzz|Benchmark)\w*`)
)

// TestEveryCommandInTheTextIsOne: commands and flags that a sentence names exist.
func TestEveryCommandInTheTextIsOne(t *testing.T) {
	makefile := contents(t, "../Makefile")
	seen := 0
	for _, page := range guidePages(t) {
		text := contents(t, page)
		lines := strings.ReplaceAll(string(text), "\n", " ")
		for _, m := range inline.FindAllStringSubmatch(lines, -1) {
			seen++
			words := strings.Fields(strings.Replace(m[1], "go run .", "molerun", 1))
			var why string
			switch words[0] {
			case "molerun":
				why = noCommand(words[1:])
			case "make":
				if !bytes.Contains(makefile, []byte("\n"+words[1]+":")) {
					why = "the Makefile has no such target"
				}
			case "go":
				why = noTest(words[2:])
			case "docker":
				why = noCompose(words[2:])
			default:
				if _, err := os.Stat(filepath.Join("..", words[0])); err != nil {
					why = err.Error()
				}
			}
			if why != "" {
				t.Errorf("%s: `%s`: %s", page, m[1], why)
			}
		}
	}
	if seen < 40 {
		t.Errorf("found %d commands in the text, want them all", seen)
	}
}

// noCommand tells why words are no command line of ours, "" if they may be one.
func noCommand(words []string) string {
	var args []string
	for _, w := range words {
		if !word.MatchString(w) {
			break
		}
		args = append(args, w)
	}
	code, help, errs := call("", append(args, "--help")...)
	if code != 0 || len(args) > 0 && !strings.Contains(help, "molerun "+args[0]) {
		return fmt.Sprintf("there is no such command: %s%s", help, errs)
	}
	for _, flag := range longFlag.FindAllString(strings.Join(words, " "), -1) {
		if !strings.Contains(help, flag) {
			return "it has no flag " + flag
		}
	}
	return ""
}

// noCompose tells why the arguments of docker compose ask for what its file has not: after its own flags there are services,
// and after the one of exec and run a command line of ours.
func noCompose(args []string) string {
	file, err := os.ReadFile("../docker-compose.yml")
	if err != nil {
		return err.Error()
	}
	has := func(service string) string {
		if !strings.Contains(string(file), "\n  "+service+":\n") {
			return fmt.Sprintf("docker-compose.yml has no service %q", service)
		}
		return ""
	}
	verb := ""
	for i := 0; i < len(args); i++ {
		why := ""
		switch w := args[i]; {
		case slices.Contains([]string{"-d", "-T", "--rm", "--build", "--no-deps", "--all"}, w) && verb != "":
		case w == "--profile" && i+1 < len(args):
			if i++; !strings.Contains(string(file), "profiles: ["+args[i]+"]") {
				why = fmt.Sprintf("docker-compose.yml has no profile %q", args[i])
			}
		case w == "--scale" && i+1 < len(args):
			i++
			service, _, _ := strings.Cut(args[i], "=")
			why = has(service)
		case verb == "" && slices.Contains([]string{"up", "exec", "run", "build", "ps"}, w):
			verb = w
		case verb == "" || !word.MatchString(w):
			why = fmt.Sprintf("%q is unknown here", w)
		case verb == "run":
			if why = has(w); why == "" && i+1 < len(args) {
				return noCommand(args[i+1:])
			}
		case verb == "exec" && i+1 < len(args) && args[i+1] == "/molerun":
			if why = has(w); why == "" {
				return noCommand(args[i+2:])
			}
		case verb == "exec":
			why = "it runs something but /molerun, which is all that the image has"
		default:
			why = has(w)
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// noTest tells why the arguments of go test would run nothing.
func noTest(args []string) string {
	var module, folder, run string
	for i, a := range args {
		if a == "-C" && i+1 < len(args) {
			module = args[i+1]
		}
		if strings.HasPrefix(a, "./") {
			folder = a
		}
		if (a == "-run" || a == "-bench") && i+1 < len(args) {
			run, _, _ = strings.Cut(args[i+1], "/") // the last of them is what is meant to run
		}
	}
	files, _ := filepath.Glob(filepath.Join("..", module, strings.TrimSuffix(folder, "/..."), "*_test.go"))
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			return err.Error()
		}
		for _, name := range aTest.FindAllString(string(b), -1) {
			if ok, err := regexp.MatchString(run, strings.TrimPrefix(name, "func ")); err == nil && ok {
				return ""
			}
		}
	}
	return "no test of that name is there"
}
