package cli_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/bots/starters"
	"github.com/molerun/molerun/internal/clitest"
	"github.com/molerun/molerun/internal/must"
)

// wire is a connection to a bot on which a test writes what it likes.
type wire struct {
	*testing.T
	net.Conn
	in *bufio.Reader
}

func dialled(t *testing.T, url string) *wire {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	must.OK(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	must.OK(t, conn.SetDeadline(time.Now().Add(time.Minute))) // no test waits for ever
	return &wire{T: t, Conn: conn, in: bufio.NewReader(conn)}
}

func (w *wire) say(text string) {
	w.Helper()
	if strings.HasSuffix(w.Name(), "/starter_in_java") { // the JDK's server knows no trailers
		text = strings.ReplaceAll(text, "Trailer-Of-Nobody: x\r\n", "")
	}
	if _, err := io.WriteString(w.Conn, text); err != nil {
		w.Fatal(err)
	}
}

// hears reads an answer, which must have this status and hold this text.
func (w *wire) hears(method string, status int, part string) {
	w.Helper()
	answer, err := http.ReadResponse(w.in, &http.Request{Method: method})
	if err != nil {
		w.Errorf("no answer: %v", err)
		return
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != status || !strings.Contains(string(body), part) {
		w.Errorf("got status %d, %q (%v); want %d and %s", answer.StatusCode, body, err, status, part)
	}
}

// hello returns a message, whole or in chunks of n bytes.
func hello(challenge string, n int, headers ...string) string {
	body := fmt.Sprintf(`{"protocol":1,"type":"hello","challenge":%q}`, challenge)
	head := "POST / HTTP/1.1\r\nHost: bot\r\nContent-Type: application/json\r\n" + strings.Join(append(headers, ""), "\r\n")
	if n == 0 {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
	}
	out := head + "Transfer-Encoding: chunked\r\n\r\n"
	for len(body) > 0 {
		now := body[:min(n, len(body))]
		body = body[len(now):]
		out += fmt.Sprintf("%x;name=value\r\n%s\r\n", len(now), now)
	}
	return out + "0\r\nTrailer-Of-Nobody: x\r\n\r\n"
}

// botServer is a server of a bot that runs without a secret, what it says on stderr, and whether it should warn there.
type botServer struct {
	url   string
	log   *clitest.Log
	warns bool
}

// botServers returns the servers that molerun gives to authors, each started, by name. The port on their command line counts, not that in
// PORT.
func botServers(t *testing.T) map[string]botServer {
	t.Helper()
	commands := map[string]*exec.Cmd{}
	for _, language := range starters.Names() {
		dir, command := generated(t, language)
		c := exec.Command(command[0], append(command[1:], "0")...)
		c.Dir = dir
		commands["starter in "+language] = c
	}
	file := filepath.Join(t.TempDir(), "bot.py")
	writes(t, file, "from molerun import serve\nserve(lambda turn: 0, name=\"package\")\n")
	commands["package for python"] = exec.Command("python3", file, "0")
	code, err := filepath.Abs("../bots/python")
	must.OK(t, err)
	list := map[string]botServer{}
	for name, c := range commands {
		c.Env = append(os.Environ(), "PORT=none", "MOLERUN_SECRET=", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+code, "OPENAI_BASE_URL="+model(t))
		p := clitest.Start(t, c)
		t.Cleanup(p.Kill)
		list[name] = botServer{p.Line(t), p.Log, strings.HasPrefix(name, "starter ")}
	}
	list["kit"] = botServer{url: bot(t, kit.Bot{Name: "kit", Games: map[string]kit.Decide{"molehill": nil}}).URL, log: new(clitest.Log)}
	return list
}

// Proxies, tunnels and hosts speak HTTP in ways of their own; a bot that molerun has written understands them.
func TestTheServersOfBotsUnderstandWhatProxiesAndHostsSend(t *testing.T) {
	t.Parallel()
	for name, at := range botServers(t) {
		t.Run(name, func(t *testing.T) {
			w := dialled(t, at.url)
			for k, n := range []int{1, 7, 1000, 0} {
				w.say(hello(fmt.Sprint("chunks of ", n), n))
				w.hears("POST", 200, fmt.Sprint("chunks of ", n))
				if k == 0 {
					w.say("GET / HTTP/1.1\r\nHost: bot\r\n\r\n")
					w.hears("GET", 200, "is a bot of molerun")
					w.say("HEAD / HTTP/1.1\r\nHost: bot\r\n\r\n")
					w.hears("HEAD", 200, "")
				}
			}
			w.say(hello("one", 5) + hello("two", 0) + hello("three", 9)) // before any is answered
			w.hears("POST", 200, "one")
			w.hears("POST", 200, "two")
			w.hears("POST", 200, "three")

			head, body, _ := strings.Cut(hello("expected", 0, "Expect: 100-continue"), "\r\n\r\n")
			w.say(head + "\r\n\r\n")
			w.hears("POST", 100, "")
			w.say(body)
			w.hears("POST", 200, "expected")

			old := dialled(t, at.url)
			old.say(strings.Replace(hello("old", 0), "HTTP/1.1", "HTTP/1.0", 1))
			old.hears("POST", 200, "old")
			if rest, err := io.ReadAll(old.in); err != nil || len(rest) > 0 {
				t.Errorf("after an answer to HTTP/1.0: %q (%v), want the end of the connection", rest, err)
			}

			for _, broken := range []string{"zz\r\n", "-5\r\n"} {
				bad := dialled(t, at.url)
				bad.say("POST / HTTP/1.1\r\nHost: bot\r\nTransfer-Encoding: chunked\r\n\r\n" + broken)
				answer, err := http.ReadResponse(bad.in, nil)
				if err == nil && answer.StatusCode < 400 {
					t.Errorf("the chunk %q is answered with %d, want a refusal", broken, answer.StatusCode)
				}
			}
			takesNothingTooLarge(t, at.url, false)
			takesNothingTooLarge(t, at.url, true)
			w.say(hello("still here", 0))
			w.hears("POST", 200, "still here")
			if n := strings.Count(at.log.String(), "accepted from anybody"); at.warns && n != 1 {
				t.Errorf("without a secret it warned %d times:\n%s", n, at.log)
			}
		})
	}
}

// large returns a message over the 4 MiB that a bot takes, whose end never comes: whole, or in chunks.
func large(chunked bool) string {
	const head = "POST / HTTP/1.1\r\nHost: bot\r\n"
	piece := strings.Repeat(" ", 64<<10)
	if !chunked {
		return fmt.Sprintf("%sContent-Length: %d\r\n\r\n", head, 300<<20) + strings.Repeat(piece, 80)
	}
	return head + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat(fmt.Sprintf("%x\r\n%s\r\n", len(piece), piece), 80)
}

// takesNothingTooLarge sends what a bot must not keep: it would run out of memory before a signature is looked at.
func takesNothingTooLarge(t *testing.T, url string, chunked bool) {
	t.Helper()
	w := dialled(t, url)
	sent := make(chan struct{})
	go func() {
		_, _ = io.WriteString(w.Conn, large(chunked)) // the bot may cut it
		close(sent)
	}()
	answer, err := http.ReadResponse(w.in, nil)
	if err == nil && answer.StatusCode != 413 && answer.StatusCode != 400 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("5 MiB of a message, in chunks %v: got %+v (%v), want status 413 or a cut connection", chunked, answer, err)
	}
	_ = w.Close()
	<-sent
}

// A starter that took any text for its secret would refuse every message of the platform, and say nothing.
func TestAStarterDoesNotStartWithASecretThatIsNone(t *testing.T) {
	t.Parallel()
	for _, language := range starters.Names() {
		dir, command := generated(t, language)
		for _, secret := range []string{"hush", "whsec_", "whsec_not*base64*", strings.Replace(starterSecret, "B", "", 1)} {
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			c := exec.CommandContext(ctx, command[0], append(command[1:], "0")...)
			c.Dir, c.Env = dir, append(os.Environ(), "MOLERUN_SECRET="+secret, "OPENAI_BASE_URL="+model(t))
			out, err := c.CombinedOutput()
			stop()
			if err == nil || !strings.Contains(string(out), "MOLERUN_SECRET is no secret") || strings.Count(string(out), "\n") != 1 {
				t.Errorf("%s with the secret %q: %v, %s; want an exit, and one line that says why", language, secret, err, out)
			}
		}
	}
}

// slip returns a slip in a line of a starter's choose, in the game "slip": an answer that cannot be written as JSON. In Rust there is none, and
// the starter llm has no choose of its own.
func slip(language string) (file, line, before string) {
	switch language {
	case "python":
		return "bot.py", `offer = turn["offer"]`, `if turn["game"] == "slip": return {"choose": {1}}` + "\n    "
	case "javascript":
		return "bot.js", "const { list, forms } = turn.offer;", `if (turn.game === "slip") return { choose: BigInt(1) };`
	case "typescript":
		return "out/bot.js", "const { list = [], forms = [] } =", `if (turn.game === "slip") return { action: { type: BigInt(1) } };`
	case "go":
		return "bot.go", "if n := len(turn.Offer.List); n > 0 {", `if turn.Game == "slip" { return map[string]any{"choose": choose} };`
	case "java":
		return "Bot.java", `Map<String, Object> offer = object(turn.get("offer"));`, `if ("slip".equals(turn.get("game"))) { turn.put("choose", turn); return turn; }`
	case "csharp":
		return "Bot.cs", `var offer = (Map)turn["offer"];`, `if (turn.ContainsKey("game") && "slip".Equals(turn["game"])) { turn["choose"] = turn; return turn; }`
	}
	return "", "", ""
}

// slipping returns the address of a starter whose author has made a slip.
func slipping(t *testing.T, language string) string {
	t.Helper()
	dir, command := generated(t, language)
	file, line, before := slip(language)
	if file == "" {
		url, _ := started(t, dir, command, "")
		return url
	}
	slipped := filepath.Join(t.TempDir(), language)
	must.OK(t, os.CopyFS(slipped, os.DirFS(dir)))
	name := filepath.Join(slipped, file)
	text := string(contents(t, name))
	if strings.Count(text, line) != 1 {
		t.Fatalf("%s has not one line %q", name, line)
	}
	writes(t, name, strings.Replace(text, line, before+line, 1))
	if build, _, _ := compiled(t, language); language != "typescript" { // what it was compiled to has the slip, without its compiler's seconds
		compile(t, slipped, build)
	}
	url, _ := started(t, slipped, command, "")
	return url
}

// Whatever goes wrong in choose or in writing its answer is one status 500: without an answer the platform would ask until the time is up, and a
// bot that ended would lose its other matches too.
func TestASlipInChooseIsOneFaultAndTheStarterGoesOn(t *testing.T) {
	t.Parallel()
	for _, language := range starters.Names() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			turn := func(game string) string {
				offered := ""
				if game == "slip" {
					offered = `,"offer":{"list":[{"type":"pass"}]}`
				}
				body := fmt.Sprintf(`{"protocol":1,"type":"turn","game":%q,"decision":"dec_1"%s}`, game, offered)
				return fmt.Sprintf("POST / HTTP/1.1\r\nHost: bot\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
			}
			w := dialled(t, slipping(t, language))
			w.say(turn("cia")) // without an offer
			w.hears("POST", 500, "")
			if file, _, _ := slip(language); file != "" {
				w.say(turn("slip"))
				w.hears("POST", 500, "")
			}
			w.say(hello("still here", 0))
			w.hears("POST", 200, "still here")
		})
	}
}

// What check prints to go on with is a game that it has played.
func TestCheckLeadsToAGameThatWasPlayed(t *testing.T) {
	decide := func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		return protocol.Answer{Choose: new(int)}, nil
	}
	b := bot(t, kit.Bot{Name: "mo", Games: map[string]kit.Decide{"chess": decide, "cia": decide, "molehill": decide}})
	for flag, want := range map[string]string{"cia": "cia", "molehill,cia": "molehill", "molehill": "molehill"} {
		_, errs := exits(t, 0, "check", b.URL, "--games", flag)
		says(t, errs, "next: molerun play "+want+" "+b.URL+" greedy\n")
	}
	b = bot(t, kit.Bot{Name: "mo", Games: map[string]kit.Decide{"chess": decide, "cia": decide}})
	_, errs := exits(t, 0, "check", b.URL)
	says(t, errs, "next: molerun play cia "+b.URL+" greedy\n")
}
