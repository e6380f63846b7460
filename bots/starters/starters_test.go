package starters_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/molerun/molerun/bots/starters"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryStarterIsABotItsTestAndADockerfile(t *testing.T) {
	for language, want := range map[string]string{
		"python": "Dockerfile bot.py test_bot.py", "py": "Dockerfile bot.py test_bot.py", "JS": "Dockerfile bot.js bot.test.js", "go": "Dockerfile bot.go bot_test.go go.mod",
		"ts": "Dockerfile bot.test.ts bot.ts package.json tsconfig.json", "java": "Bot.java BotTest.java Dockerfile",
		"C#":  "Bot.cs Bot.csproj BotTest.cs Dockerfile Json.cs Server.cs",
		"llm": "Dockerfile bot.py test_bot.py server.py",
		"rs":  "Cargo.toml Dockerfile bot.rs bot_test.rs json.rs server.rs webhook.rs",
	} {
		starter, err := starters.Find(language)
		must.OK(t, err)
		files, err := starter.Files()
		must.OK(t, err)
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
			if len(f.Body) == 0 {
				t.Errorf("%s: %s is empty", language, f.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s, want %s", language, got, want)
		}
	}
	for _, language := range []string{"cobol", "", ".", "..", "python/../go"} {
		if found, err := starters.Find(language); err == nil || !strings.Contains(err.Error(), strings.Join(starters.Names(), ", ")) {
			t.Errorf("%q: got %v and %v, want an error that lists the languages", language, found, err)
		}
	}
}

// No two starters answer to one name.
func TestEveryNameOfAStarterIsItsOwn(t *testing.T) {
	for _, s := range starters.All() {
		for _, name := range append([]string{s.Name}, s.Aliases...) {
			if found, err := starters.Find(name); err != nil || found.Name != s.Name {
				t.Errorf("%s finds %s (%v), want %s", name, found.Name, err, s.Name)
			}
		}
	}
}

// passes runs a command in a folder.
func passes(t *testing.T, dir string, command ...string) {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%s in %s: %v\n%s", strings.Join(command, " "), dir, err, out)
	}
}

// llmFolder returns a new folder with the LLM starter, as an author gets it.
func llmFolder(t *testing.T) string {
	t.Helper()
	starter, err := starters.Find("llm")
	must.OK(t, err)
	files, err := starter.Files()
	must.OK(t, err)
	dir := t.TempDir()
	for _, f := range files {
		must.OK(t, os.WriteFile(filepath.Join(dir, f.Name), f.Body, 0o600))
	}
	return dir
}

// The Go starter's own test is a package of this module; those of the languages that are compiled run where the starters are built, in cli.
func TestTheStartersOwnTestsPass(t *testing.T) {
	passes(t, "python", "python3", "-S", "test_bot.py") // -S: nothing but the standard library
	passes(t, "javascript", "node", "--test")
	passes(t, llmFolder(t), "python3", "-S", "test_bot.py")
}

// proposal holds an action that a model may answer to an offer, and whether the rules take it. The rules may refuse some points within a
// rectangle.
type proposal struct {
	Offer  json.RawMessage `json:"offer"`
	Action json.RawMessage `json:"action"`
	Legal  bool            `json:"legal"`
	Maybe  bool            `json:"maybe"`
}

var number = regexp.MustCompile(`\b\d+\b`)

// near returns the action, and what becomes of it if one of its numbers grows or disappears.
func near(action json.RawMessage) []json.RawMessage {
	out := []json.RawMessage{action}
	for _, at := range number.FindAllIndex(action, -1) {
		n, err := strconv.Atoi(string(action[at[0]:at[1]]))
		if err != nil {
			continue
		}
		for _, other := range []string{strconv.Itoa(n + 1), strconv.Itoa(n - 1), "null"} {
			if changed := slices.Concat(action[:at[0]], []byte(other), action[at[1]:]); json.Valid(changed) {
				out = append(out, changed)
			}
		}
	}
	return out
}

func TestTheLLMStarterTakesOfFormsWhatTheRulesTake(t *testing.T) {
	var lines bytes.Buffer
	write, kinds := json.NewEncoder(&lines), map[string]int{}
	for _, engine := range catalog.All() {
		info := engine.Info()
		for _, v := range info.Variants {
			for _, seats := range []int{info.MinSeats, info.MaxSeats} {
				table, _, err := engine.New(json.RawMessage(v.Config), seats, gametest.Seed(seats))
				must.OK(t, err)
				for left := 12; left > 0 && table.Due() != 0; gametest.HouseStep(t, table) {
					for seat := range table.Due().Each() {
						offer := table.Offer(seat)
						if !bytes.Contains(offer, []byte(`"forms"`)) {
							continue
						}
						left--
						for _, word := range []string{`"share"`, `"give"`, `"within"`, `"of"`, `"min"`} {
							kinds[word] += bytes.Count(offer, []byte(word))
						}
						for _, action := range near(table.House(seat)) {
							err := table.Check(game.Turn{Seat: seat, Action: action})
							must.OK(t, write.Encode(proposal{offer, action, err == nil, bytes.Contains(offer, []byte(`"within"`))}))
						}
					}
				}
			}
		}
	}
	for word, n := range kinds {
		if n == 0 {
			t.Errorf("no field has %s", word)
		}
	}
	dir := llmFolder(t)
	must.OK(t, os.WriteFile(filepath.Join(dir, "proposals.jsonl"), lines.Bytes(), 0o600))
	passes(t, dir, "python3", "-S", "-c", `import json, bot
for line in open("proposals.jsonl"):
    x = json.loads(line)
    answer, why = bot.decision(json.dumps({"action": x["action"]}), x["offer"])
    if bool(answer) != x["legal"] and (x["legal"] or not x["maybe"]):
        raise SystemExit(f"{x} is answered by {answer}, {why}")
    if answer and "choose" in answer and x["offer"]["examples"][answer["choose"]] != x["action"]:
        raise SystemExit(f"{x} is answered by another action: {answer}")
`)
}

func TestTheLLMStarterKnowsWhichGamesTalk(t *testing.T) {
	var talks []string
	for _, engine := range catalog.All() {
		if engine.Info().Talk {
			talks = append(talks, engine.Info().ID)
		}
	}
	passes(t, llmFolder(t), "python3", "-S", "-c", "import bot; assert bot.TALKS == '"+strings.Join(talks, " ")+"'.split(), bot.TALKS")
}

var (
	required = regexp.MustCompile(`require\("([^"]+)"\)`)
	fromNode = regexp.MustCompile(`from "([^"]+)";`)
	imported = regexp.MustCompile(`(?m)^\t"([^"]+)"$`)
)

func TestTheStartersUseTheStandardLibraryAlone(t *testing.T) {
	for _, row := range []struct {
		file string
		name *regexp.Regexp
		own  func(string) bool
	}{
		{"javascript/bot.js", required, func(s string) bool { return strings.HasPrefix(s, "node:") }},
		{"typescript/bot.ts", fromNode, func(s string) bool { return strings.HasPrefix(s, "node:") }},
		{"go/bot.go", imported, func(s string) bool { return !strings.Contains(s, ".") }},
	} {
		b, err := os.ReadFile(filepath.FromSlash(row.file))
		must.OK(t, err)
		found := row.name.FindAllStringSubmatch(string(b), -1)
		if len(found) < 2 || slices.ContainsFunc(found, func(m []string) bool { return !row.own(m[1]) }) {
			t.Errorf("%s: got %v, want names of the standard library", row.file, found)
		}
	}
}
