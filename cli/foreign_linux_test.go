package cli_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/spf13/cobra"

	"github.com/molerun/molerun/cli"
	"github.com/molerun/molerun/cli/printer"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// steering would set a terminal's title, ring, move its cursor and turn the direction of what follows.
const steering = "x\x1b]0;owned\x07\x1b[5;5H\u009b2J\u202egnp\u2066\r"

// shownSteering is a part of steering as it may be shown.
const shownSteering = `\u202e`

// hostilePlatform answers every request as the document of the API says, with steering in every text. What is no route of it is a bot
// that refuses with such a text.
type hostilePlatform struct{ doc *openapi3.T }

func (p hostilePlatform) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path, operation := p.find(r)
	if operation == nil {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusTeapot)
		_ = json.NewEncoder(w).Encode(map[string]any{"error": steering, "challenge": steering})
		return
	}
	status, answer := 0, (*openapi3.Response)(nil)
	for code, ref := range operation.Responses.Map() {
		if n, err := strconv.Atoi(code); err == nil && n < 300 && ref.Value != nil {
			status, answer = n, ref.Value
		}
	}
	for kind, media := range answer.Content {
		if kind != "application/json" && len(answer.Content) > 1 {
			continue
		}
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		if kind != "application/json" {
			_, _ = fmt.Fprintln(w, steering)
			return
		}
		_ = json.NewEncoder(w).Encode(hostileValue(path, media.Schema, 0))
		return
	}
	w.WriteHeader(status)
}

// find returns the operation of a request; its path has the fewest parameters of all that fit.
func (p hostilePlatform) find(r *http.Request) (string, *openapi3.Operation) {
	best, operation := "", (*openapi3.Operation)(nil)
	asked := strings.Split(r.URL.EscapedPath(), "/")
	for path, item := range p.doc.Paths.Map() {
		fits := slices.EqualFunc(strings.Split(path, "/"), asked, func(want, got string) bool { return want == got || got != "" && strings.HasPrefix(want, "{") })
		if fits && item.GetOperation(r.Method) != nil && (operation == nil || strings.Count(path, "{") < strings.Count(best, "{")) {
			best, operation = path, item.GetOperation(r.Method)
		}
	}
	return best, operation
}

// hostileValue returns a value of a schema.
func hostileValue(name string, ref *openapi3.SchemaRef, depth int) any {
	if ref == nil || ref.Value == nil || depth > 8 || name == "next_cursor" {
		return nil
	}
	s := ref.Value
	for _, part := range slices.Concat(s.AllOf, s.OneOf, s.AnyOf) {
		if v := hostileValue(name, part, depth+1); v != nil {
			return v
		}
	}
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Is("string") && s.Format == "date-time":
		return "2027-01-01T00:00:00Z"
	case s.Type.Is("string"):
		return steering
	case s.Type.Is("integer"), s.Type.Is("number"):
		return max(1, int(deref(s.Min)))
	case s.Type.Is("boolean"):
		return true
	case s.Type.Is("array"):
		return []any{hostileValue("", s.Items, depth+1)}
	}
	out := map[string]any{}
	for key, property := range s.Properties {
		out[key] = hostileValue(key, property, depth+1)
	}
	if more := s.AdditionalProperties.Schema; more != nil {
		out[steering] = hostileValue("", more, depth+1)
	}
	return out
}

func deref(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// hostileFile writes lines with steering in the place of some texts, packed, in a file whose name steers too.
func hostileFile(t *testing.T, from string, texts ...string) string {
	t.Helper()
	quoted, err := json.Marshal(steering)
	must.OK(t, err)
	whole := string(bytes.Join(unpack(t, from), []byte("\n"))) + "\n"
	for _, text := range texts {
		whole = strings.ReplaceAll(whole, `"`+text+`"`, string(quoted))
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err = z.Write([]byte(whole))
	must.OK(t, err)
	must.OK(t, z.Close())
	name := filepath.Join(t.TempDir(), strings.ReplaceAll(steering, "/", "")+".jsonl.gz")
	writes(t, name, packed.Bytes())
	return name
}

// hostileDatabase has a user whose name steers.
func hostileDatabase(t *testing.T) string {
	t.Helper()
	url := migrated(t)
	told(t, "", "admin", "token", "ada", "--database", url)
	db, err := sql.Open("sqlite", strings.TrimPrefix(url, "sqlite:"))
	must.OK(t, err)
	defer db.Close()
	for _, change := range []string{"UPDATE users SET name = ?", "UPDATE audit SET actor = ?"} {
		if _, err := db.ExecContext(t.Context(), change, steering); err != nil && strings.Contains(change, "users") {
			t.Fatal(err)
		}
	}
	return url
}

// styles are what our own commands draw with.
var styles = regexp.MustCompile("\r\x1b\\[K|\x1b\\[[0-9;]*m|\x1b\\[J|\x1b\\[[0-9]+A|\x1b\\[\\?7[lh]|\r\n")

// steered returns what on a terminal is not text nor one of our styles.
func steered(drawn string) string {
	rest := styles.ReplaceAllString(drawn, "\n")
	at := strings.IndexFunc(rest, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	})
	if at < 0 {
		return ""
	}
	return rest[max(0, at-80):min(len(rest), at+80)]
}

// Every command is called with what steers in records, backups, names, arguments, answers of a platform and of a bot, and draws nothing of
// it on a terminal. A new command is among them by itself, with its arguments by their words in its Use.
func TestNoTextOfOthersSteersATerminal(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromFile("../docs/openapi.json")
	must.OK(t, err)
	platform := httptest.NewServer(hostilePlatform{doc})
	t.Cleanup(platform.Close)
	account := settingsIn(t)
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	t.Setenv("MOLERUN_LISTEN", "127.0.0.1:0")
	t.Setenv("MOLERUN_METRICS", "")
	t.Setenv("MOLERUN_DATABASE", hostileDatabase(t))
	record := hostileFile(t, record("molehill", "base"), "molerun 0.1.0", "greedy", "random")
	backup := hostileFile(t, "testdata/golden/backup.jsonl.gz", "molerun 0.1.0")
	t.Chdir(t.TempDir())
	words := map[string]string{"GAME": "molehill", "URL": platform.URL, "LANGUAGE": "python", "FILE": record, "NUMBER": "1", "LADDER": "molehill", "YES": "yes"}
	more := map[string][]string{
		"replay fork": {"--at", "2"}, "replay redrive": {"--seat", "0", "--yes"}, "replay show": {"--events"}, "replay review": {"--step", "1", "--playouts", "40"}, "connect": {"--to", platform.URL},
		"admin copy": {"--from", "sqlite:" + steering, "--to", "sqlite:" + steering}, "login": {"--name", "ada", "--replace"},
		"admin restore": {"--database", "sqlite:restored.db"}, "account delete": {"--yes", steering}, "token create": {"--expires", "2030-01-01"},
	}
	kept, err := json.Marshal(map[string]string{"url": platform.URL, "name": steering, "token": anyToken(t)})
	must.OK(t, err)
	var shown, all int
	leaves(cli.Commands(), nil, func(cmd *cobra.Command, path []string) {
		if cmd.HasSubCommands() {
			return
		}
		must.OK(t, os.MkdirAll(filepath.Dir(account), 0o700))
		writes(t, account, kept)
		name, args := strings.Join(path, " "), slices.Clone(path)
		for _, word := range strings.Fields(cmd.Use)[1:] {
			word = strings.Trim(word, "[].")
			switch value, known := words[word]; {
			case name == "admin restore":
				args = append(args, backup)
			case name == "admin backup":
				args = append(args, "new.jsonl.gz")
			case known:
				args = append(args, value)
			default:
				args = append(args, steering)
			}
		}
		args = append(args, more[name]...)
		if cmd.Flags().Lookup("listen") != nil {
			args = append(args, "--listen", "127.0.0.1:0")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		screen, _, drawn := clitest.Terminal(t)
		cli.MainContext(ctx, args, strings.NewReader(""), screen, screen)
		text := drawn()
		if is := steered(text); is != "" {
			t.Errorf("%s draws %q", name, is)
		}
		all++
		if strings.Contains(text, shownSteering) || strings.Contains(text, printer.Printable(steering)) {
			shown++
		} else {
			t.Logf("%s shows nothing of it: %.200q", name, text)
		}
	})
	if all < 80 || shown < all/2 {
		t.Errorf("%d of %d commands show a text of others; most should", shown, all)
	}
}
