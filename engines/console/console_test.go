package console_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/console"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/molehill"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// talk is a console to which a test speaks line by line: a reply must come before the next line is sent.
type talk struct {
	t   *testing.T
	in  *io.PipeWriter
	out *bufio.Reader
}

func open(t *testing.T, engine game.Engine) *talk {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- console.Serve(inR, outW, engine)
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		_ = inW.Close()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return &talk{t, inW, bufio.NewReader(outR)}
}

func (c *talk) send(line string) string {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
	reply, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("%.80s: no reply: %v", line, err)
	}
	return strings.TrimSuffix(reply, "\n")
}

// TestEveryOpAnswersAsRecorded plays testdata/GAME.in of every game and compares with GAME.transcript.
func TestEveryOpAnswersAsRecorded(t *testing.T) {
	for _, engine := range catalog.All() {
		t.Run(engine.Info().ID, func(t *testing.T) { playTranscript(t, engine) })
	}
}

// playTranscript sends the lines of a game's file; $snapshot and $view mean the last ones answered.
func playTranscript(t *testing.T, engine game.Engine) {
	t.Helper()
	in, err := os.ReadFile("testdata/" + engine.Info().ID + ".in")
	must.OK(t, err)
	c := open(t, engine)
	var got bytes.Buffer
	last, seen := struct {
		Snapshot string
		View     json.RawMessage
	}{}, map[string]bool{}
	for line := range strings.Lines(string(in)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), "$snapshot", last.Snapshot)
		line = strings.ReplaceAll(line, "$view", string(last.View))
		reply := c.send(line)
		if err := json.Unmarshal([]byte(reply), &last); err != nil {
			t.Fatalf("%s: %v", reply, err)
		}
		var request struct{ Op string }
		must.OK(t, json.Unmarshal([]byte(line), &request))
		seen[request.Op] = true
		fmt.Fprintf(&got, "> %s\n< %s\n", line, reply)
	}
	for _, op := range strings.Fields("info deal view offer check apply house hash snapshot restore resample guess reveal draw describe") {
		if !seen[op] {
			t.Errorf("the transcript does not use %s", op)
		}
	}
	gametest.Golden(t, engine.Info().ID+".transcript", got.Bytes())
}

const seed = `"seed":"0000000000000000000000000000000000000000000000000000000000000001"`

func TestTheReplyToADealHasItsKeysInOrder(t *testing.T) {
	got := open(t, game.Wrap(molehill.Rules{})).send(`{"op":"deal","seats":2,` + seed + `,"config":{"first_mole":1}}`)
	if want := `{"ok":true,"step":0,"due":[1],"events":[{"for":"all","kind":"round","mole_seat":1}],"result":null}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestBadRequestsAreAnsweredAndTheConsoleGoesOn(t *testing.T) {
	c := open(t, game.Wrap(molehill.Rules{}))
	deal := `{"op":"deal",` + seed + `,"config":{"first_mole":0}}`
	c.send(deal)
	hash := c.send(`{"op":"hash"}`)
	for _, row := range []struct{ line, code, detail string }{
		{``, "bad_json", "ends too early"},
		{`{`, "bad_json", "not valid JSON"},
		{`hello`, "bad_json", "not valid JSON"},
		{`null`, "bad_json", "must not be null"},
		{`[]`, "bad_json", "wants an object, not a list"},
		{`{"op":"hash"}{"op":"hash"}`, "bad_json", "has more after the JSON value"},
		{`{"op":"hash","op":"view"}`, "bad_json", "at /op: is given twice"},
		{"{\"op\":\"\xff\"}", "bad_json", "not valid UTF-8"},
		{`{"a":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, "bad_json", "nests deeper than 16"},
		{`{}`, "bad_request", "at /op: is missing"},
		{`{"OP":"hash"}`, "bad_request", "at /op: is missing"},
		{`{"op":7}`, "bad_request", "at /op: wants a string"},
		{`{"op":null}`, "bad_request", "at /op: must not be null"},
		{`{"op":"fly"}`, "unknown_op", `"fly": want info, deal`},
		{`{"op":"Hash"}`, "unknown_op", `"Hash"`},
		{`{"op":"hash","seat":0}`, "bad_request", "at /seat: is not a known key"},
		{`{"op":"info","seat":0}`, "bad_request", "at /seat: is not a known key"},
		{`{"op":"view"}`, "bad_request", "at /seat: is missing"},
		{`{"op":"view","seat":null}`, "bad_request", "at /seat: must not be null"},
		{`{"op":"view","seat":"0"}`, "bad_request", "at /seat: wants a whole number"},
		{`{"op":"view","seat":0.5}`, "bad_request", "at /seat: wants a whole number"},
		{`{"op":"view","Seat":0}`, "bad_request", `did you mean "seat"?`},
		{`{"op":"view","seat":2}`, "wrong_seats", "there is no seat 2: want -1 to 1"},
		{`{"op":"view","seat":-2}`, "wrong_seats", "there is no seat -2"},
		{`{"op":"view","seat":256}`, "wrong_seats", "there is no seat 256"},
		{`{"op":"offer","seat":-1}`, "wrong_seats", "there is no seat -1: want 0 to 1"},
		{`{"op":"offer","seat":7}`, "wrong_seats", "there is no seat 7"},
		{`{"op":"house","seat":1}`, "wrong_seats", "seat 1 is not due"},
		{`{"op":"house","seat":-1}`, "wrong_seats", "there is no seat -1"},
		{`{"op":"draw","seat":3}`, "wrong_seats", "there is no seat 3"},
		{`{"op":"describe"}`, "bad_request", "at /seat: is missing"},
		{`{"op":"check","seat":0}`, "bad_request", "at /action: is missing"},
		{`{"op":"check","seat":0,"action":null}`, "illegal_action", "must not be null"},
		{`{"op":"check","seat":0,"action":{"type":"fly"}}`, "illegal_action", "at /type"},
		{`{"op":"check","seat":-1,"action":{"type":"start","at":"a1"}}`, "wrong_seats", "there is no seat -1"},
		{`{"op":"apply"}`, "bad_request", "at /turns: is missing"},
		{`{"op":"apply","turns":null}`, "bad_request", "at /turns: must not be null"},
		{`{"op":"apply","turns":[{"seat":0}]}`, "bad_request", "at /turns/0/action: is missing"},
		{`{"op":"apply","turns":[{"seat":0,"action":{},"why":1}]}`, "bad_request", "at /turns/0/why: is not a known key"},
		{`{"op":"apply","turns":[{"seat":300,"action":{}}]}`, "bad_request", "at /turns/0/seat"},
		{`{"op":"apply","turns":[]}`, "wrong_seats", "the seats due are [0]"},
		{`{"op":"apply","turns":[{"seat":0,"action":{"type":"start","at":"a1"},"say":"hi"}]}`, "bad_say", "no table talk"},
		{`{"op":"deal"}`, "bad_request", "at /seed: is missing"},
		{`{"op":"deal","seed":"12"}`, "bad_seed", "want 64 hex digits"},
		{`{"op":"deal","seed":12}`, "bad_request", "at /seed: wants a string"},
		{`{"op":"deal","seats":3,` + seed + `}`, "bad_config", "seats: want 2, got 3"},
		{`{"op":"deal","seats":0,` + seed + `}`, "bad_config", "seats: want 2, got 0"},
		{`{"op":"deal","seats":null,` + seed + `}`, "bad_request", "at /seats: must not be null"},
		{`{"op":"deal",` + seed + `,"config":null}`, "bad_config", "must not be null"},
		{`{"op":"deal",` + seed + `,"config":{"columns":8}}`, "bad_config", "columns: want an odd number"},
		{`{"op":"deal",` + seed + `,"config":{"colour":8}}`, "bad_config", "at /colour: is not a known key"},
		{`{"op":"deal",` + seed + `,"table":1}`, "bad_request", "at /table: is not a known key"},
		{`{"op":"restore","snapshot":"%%%"}`, "bad_snapshot", "it is not base64"},
		{`{"op":"restore","snapshot":""}`, "bad_snapshot", "too short"},
		{`{"op":"restore"}`, "bad_request", "at /snapshot: is missing"},
		{`{"op":"resample","seat":0}`, "bad_request", "at /seed: is missing"},
		{`{"op":"resample","seat":0,"seed":"zz"}`, "bad_seed", "want 64 hex digits"},
		{`{"op":"resample","seat":9,` + seed + `}`, "wrong_seats", "there is no seat 9"},
		{`{"op":"guess","seat":0,` + seed + `}`, "bad_request", "at /view: is missing"},
		{`{"op":"guess","view":{},` + seed + `}`, "bad_request", "at /seat: is missing"},
		{`{"op":"guess","seat":0,"view":{},` + seed + `}`, "bad_view", "at /round: is missing"},
		{`{"op":"guess","seat":5,"view":{},` + seed + `}`, "wrong_seats", "there is no seat 5"},
		{`{"op":"guess","seat":0,"view":{},"seats":9,` + seed + `}`, "bad_config", "seats: want 2"},
	} {
		var reply struct {
			OK    *bool
			Error struct{ Code, Detail string }
		}
		text := c.send(row.line)
		if err := json.Unmarshal([]byte(text), &reply); err != nil {
			t.Errorf("%s: %v in %s", row.line, err, text)
			continue
		}
		if reply.OK == nil || *reply.OK {
			t.Errorf("%s: got %s, want ok false", row.line, text)
		}
		if reply.Error.Code != row.code || !strings.Contains(reply.Error.Detail, row.detail) {
			t.Errorf("%s:\ngot  %s\nwant code %s with %q", row.line, text, row.code, row.detail)
		}
		if !strings.HasPrefix(text, `{"ok":false,"error":{"code":"`+row.code+`","detail":"`) {
			t.Errorf("%s: got %s, want the keys ok, error, code, detail in this order", row.line, text)
		}
		if now := c.send(`{"op":"hash"}`); now != hash {
			t.Fatalf("%s changed the table: hash %s, before %s", row.line, now, hash)
		}
	}
}

func TestOpsBeforeADealSayThatThereIsNoTable(t *testing.T) {
	c := open(t, game.Wrap(molehill.Rules{}))
	for _, op := range strings.Fields("view offer check apply house hash snapshot resample reveal draw describe") {
		if got := c.send(`{"op":"` + op + `"}`); !strings.Contains(got, `"code":"no_table"`) {
			t.Errorf("%s: got %s, want no_table", op, got)
		}
	}
}

func TestASeatIsToldWhatItHasHeardSinceItLastDecided(t *testing.T) {
	demol, _ := catalog.Find("demol")
	c := open(t, demol)
	told := func(seat int, want ...string) {
		t.Helper()
		var reply struct{ Text string }
		must.OK(t, json.Unmarshal([]byte(c.send(fmt.Sprintf(`{"op":"describe","seat":%d}`, seat))), &reply))
		heard, _, found := strings.Cut(reply.Text, "\n\n")
		if found != (want != nil) || found && heard != "Since your last turn:\n- "+strings.Join(want, "\n- ") {
			t.Errorf("seat %d hears %q, want %q before the view", seat, reply.Text, want)
		}
	}
	c.send(`{"op":"deal","seats":5,` + seed + `}`)
	var deal struct{ Due []int }
	must.OK(t, json.Unmarshal([]byte(c.send(`{"op":"resample","seat":-1,`+seed+`}`)), &deal))
	leader := deal.Due[0]
	told(leader)
	c.send(fmt.Sprintf(`{"op":"apply","turns":[{"seat":%d,"action":{"type":"team","members":[0,1]},"say":"hello"}]}`, leader))
	told(leader, `You say "hello".`, "You propose seats 0 and 1 for mission 1.")
	told((leader+1)%5, fmt.Sprintf("Seat %d says %q.", leader, "hello"), fmt.Sprintf("Leader %d proposes seats 0 and 1 for mission 1.", leader))
	told(-1)
	var votes []string
	for seat := range 5 {
		votes = append(votes, fmt.Sprintf(`{"seat":%d,"action":{"type":"vote","approve":false}}`, seat))
	}
	c.send(`{"op":"apply","turns":[` + strings.Join(votes, ",") + `]}`)
	told(0, "Rejected: the team of seat 1 and you. Seat 1, seat 2, seat 3, seat 4 and you reject (0 to 5).",
		fmt.Sprintf("Seat %d leads now: round 1, team 2 of at most 5.", (leader+1)%5))
	c.send(strings.Replace(c.send(`{"op":"snapshot"}`), `"ok":true`, `"op":"restore"`, 1))
	told(0)
}

// manySeats is an engine whose Info allows several table sizes.
type manySeats struct{ game.Engine }

func (manySeats) Info() game.Info { return game.Info{ID: "many", MinSeats: 2, MaxSeats: 5} }

func TestSeatsMayBeLeftOutOnlyWhereThereIsOneTableSize(t *testing.T) {
	many := open(t, manySeats{game.Wrap(molehill.Rules{})})
	if got := many.send(`{"op":"deal",` + seed + `}`); !strings.Contains(got, `"code":"bad_request","detail":"at /seats: is missing: many takes 2 to 5"`) {
		t.Errorf("got %s, want seats to be missing", got)
	}
	if got := many.send(`{"op":"deal","seats":2,` + seed + `}`); !strings.HasPrefix(got, `{"ok":true`) {
		t.Errorf("got %s, want a deal", got)
	}
}

func TestALineBeyondTheCapIsRefusedAndSkipped(t *testing.T) {
	c := open(t, game.Wrap(molehill.Rules{}))
	for _, size := range []int{console.MaxLineBytes, console.MaxLineBytes + 70000} {
		if got := c.send(`{"op":"` + strings.Repeat("x", size) + `"}`); !strings.Contains(got, `"code":"bad_request","detail":"the line has `) {
			t.Errorf("%d bytes: got %.120s, want a refusal", size, got)
		}
		if got := c.send(`{"op":"info"}`); !strings.HasPrefix(got, `{"ok":true,"info":`) {
			t.Errorf("after the long line: got %s", got)
		}
	}
	fits := `{"op":"info"` + strings.Repeat(" ", console.MaxLineBytes-14) + `}`
	if got := c.send(fits); !strings.HasPrefix(got, `{"ok":true`) {
		t.Errorf("a line of exactly the cap: got %.120s, want an answer", got)
	}
}

func TestTheLastLineNeedsNoNewline(t *testing.T) {
	var out bytes.Buffer
	err := console.Serve(strings.NewReader("{\"op\":\"hash\"}\r\n{\"op\":\"fly\"}"), &out, game.Wrap(molehill.Rules{}))
	must.OK(t, err)
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 {
		t.Fatalf("got %q, want two replies", out.String())
	}
	for i, code := range []string{"no_table", "unknown_op"} {
		if !strings.Contains(lines[i], code) {
			t.Errorf("reply %d: got %s, want %s", i, lines[i], code)
		}
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errBroken }
func (broken) Write([]byte) (int, error) { return 0, errBroken }

func TestServeReturnsTheErrorsOfItsStreams(t *testing.T) {
	if err := console.Serve(broken{}, io.Discard, game.Wrap(molehill.Rules{})); !errors.Is(err, errBroken) {
		t.Errorf("broken input: got %v", err)
	}
	if err := console.Serve(strings.NewReader("{}\n"), broken{}, game.Wrap(molehill.Rules{})); !errors.Is(err, errBroken) {
		t.Errorf("broken output: got %v", err)
	}
}

// failing is an engine with a bug.
type failing struct{ game.Engine }

func (failing) New(json.RawMessage, int, game.Seed) (game.Table, []game.Event, error) {
	panic("cards on the floor")
}

func TestABugOfTheEngineIsReportedAndCostsTheTable(t *testing.T) {
	c := open(t, failing{game.Wrap(molehill.Rules{})})
	if got := c.send(`{"op":"deal",` + seed + `}`); !strings.Contains(got, `"code":"internal","detail":"the engine failed and the table is gone: cards on the floor"`) {
		t.Errorf("got %s, want an internal error", got)
	}
	if got := c.send(`{"op":"hash"}`); !strings.Contains(got, "no_table") {
		t.Errorf("got %s, want no_table", got)
	}
}

// TestAForgedSnapshotCannotStopTheConsole: its checksum fits, but its state is one that no match reaches.
func TestAForgedSnapshotCannotStopTheConsole(t *testing.T) {
	c := open(t, game.Wrap(molehill.Rules{}))
	c.send(`{"op":"deal",` + seed + `}`)
	var reply struct{ Snapshot []byte }
	must.OK(t, json.Unmarshal([]byte(c.send(`{"op":"snapshot"}`)), &reply))
	body := reply.Snapshot[:len(reply.Snapshot)-sha256.Size]
	clear(body[bytes.IndexByte(body, '\n')+1:])
	sum := sha256.Sum256(body)
	restore := `{"op":"restore","snapshot":"` + base64.StdEncoding.EncodeToString(append(body, sum[:]...)) + `"}`
	for _, op := range strings.Fields("view offer house draw describe") {
		c.send(restore)
		if got := c.send(`{"op":"` + op + `","seat":0}`); !strings.HasPrefix(got, `{"ok":`) {
			t.Errorf("%s: got %s", op, got)
		}
	}
	if got := c.send(`{"op":"info"}`); !strings.HasPrefix(got, `{"ok":true`) {
		t.Errorf("afterwards: got %s", got)
	}
}

// FuzzServe: whatever the lines are, each gets one reply that is JSON with ok, and the console never fails.
func FuzzServe(f *testing.F) {
	transcript, err := os.ReadFile("testdata/molehill.transcript")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(transcript)) {
		if request, ok := strings.CutPrefix(line, "> "); ok {
			f.Add([]byte(request))
		}
	}
	f.Add([]byte("{}\n[]\nnull\n\n\"\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		in := append([]byte(`{"op":"deal",`+seed+"}\n"), lines...)
		var out bytes.Buffer
		must.OK(t, console.Serve(bytes.NewReader(in), &out, game.Wrap(molehill.Rules{})))
		want := bytes.Count(in, []byte("\n"))
		if in[len(in)-1] != '\n' {
			want++
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != want {
			t.Fatalf("%d lines, %d replies:\n%s", want, got, out.Bytes())
		}
		for line := range bytes.Lines(out.Bytes()) {
			var reply struct {
				OK    *bool
				Error *struct{ Code string }
			}
			if err := json.Unmarshal(line, &reply); err != nil || reply.OK == nil || *reply.OK == (reply.Error != nil) {
				t.Fatalf("reply %s: %v", line, err)
			}
			if reply.Error != nil && reply.Error.Code == "internal" {
				t.Fatalf("a bug: %s", line)
			}
		}
	})
}
