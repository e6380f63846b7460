package kit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	secret = "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
	older  = "whsec_CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg="
)

func now() time.Time { return time.Unix(1_790_000_000, 0) }

// echo answers with the view as its action.
func echo(_ context.Context, t *protocol.Turn) (protocol.Answer, error) {
	if t.Memo == "fail" {
		return protocol.Answer{}, errors.New("no idea")
	}
	return protocol.Answer{Action: t.View}, nil
}

func bot(log io.Writer) kit.Bot {
	return kit.Bot{Name: "mo", Author: "ann", Build: "7", Games: map[string]kit.Decide{"molehill": echo, "demol": echo}, Log: slog.New(slog.NewTextHandler(log, nil)), Now: now}
}

func handler(t *testing.T, log io.Writer, secrets ...string) http.Handler {
	t.Helper()
	h, err := kit.Handler(bot(log), secrets...)
	must.OK(t, err)
	return h
}

// post sends a message, signed when there are secrets.
func post(t *testing.T, h http.Handler, text string, secrets ...string) *httptest.ResponseRecorder {
	t.Helper()
	keys, err := protocol.ParseKeys(secrets...)
	must.OK(t, err)
	r := httptest.NewRequest(http.MethodPost, "/any/path", strings.NewReader(text))
	r.Header.Set(protocol.HeaderID, "dec_1")
	r.Header.Set(protocol.HeaderTimestamp, strconv.FormatInt(now().Unix(), 10))
	r.Header.Set(protocol.HeaderSignature, keys.Sign("dec_1", now(), []byte(text)))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestEveryMessageIsAnswered(t *testing.T) {
	h := handler(t, io.Discard)
	for _, row := range []struct {
		name, message string
		status        int
		want          string
	}{
		{"hello", `{"protocol":1,"type":"hello","challenge":"abc"}`, 200, `{"challenge":"abc","name":"mo","author":"ann","build":"7","games":["demol","molehill"]}`},
		{"start", `{"protocol":1,"type":"start","match":"m","game":"molehill","seat":1,"commitment":"00"}`, 200, `{}`},
		{"turn", `{"protocol":1,"type":"turn","game":"demol","decision":"dec_9","view":{"a":1}}`, 200, `{"decision":"dec_9","action":{"a":1},"build":"7"}`},
		{"turn of tomorrow", `{"type":"turn","game":"demol","decision":"dec_9","view":{},"weather":{"rain":true}}`, 200, `{"decision":"dec_9","action":{},"build":"7"}`},
		{"end", `{"protocol":1,"type":"end","result":{"rank":[1,2],"points":[1,0],"why":"x"},"rank":1}`, 200, `{}`},
		{"voided", `{"protocol":1,"type":"end","result":null,"rank":0}`, 200, `{}`},
		{"unknown type", `{"type":"weather"}`, 200, `{}`},
		{"another game", `{"type":"turn","game":"chess","decision":"d"}`, 404, `this bot does not play "chess"`},
		{"decide fails", `{"type":"turn","game":"demol","memo":"fail"}`, 500, "no idea"},
		{"no JSON", `hello`, 400, "not the JSON expected"},
		{"a key twice", `{"type":"hello","type":"turn"}`, 400, "not the JSON expected"},
		{"too long", `{"type":"x","memo":"` + strings.Repeat("x", kit.MaxMessageBytes) + `"}`, 413, "too large"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := post(t, h, row.message)
			body := w.Body.String()
			if w.Code != row.status {
				t.Errorf("got status %d (%s), want %d", w.Code, body, row.status)
			}
			if fits := strings.Contains(body, row.want); !fits || row.status == 200 && body != row.want {
				t.Errorf("got %s, want %s", body, row.want)
			}
		})
	}
}

// Without an answer the platform would ask until the time is up.
func TestAPanicIsLoggedAndAnsweredWith500(t *testing.T) {
	var log bytes.Buffer
	b := bot(&log)
	var nothing map[string]int
	slips := map[string]func(){"error": func() { panic(errors.New("ouch")) }, "map": func() { nothing["a"] = 1 }, "index": func() { _ = []int{}[len(nothing)] }}
	b.Games["demol"] = func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		slips[turn.Memo]()
		return protocol.Answer{}, nil
	}
	h, err := kit.Handler(b)
	must.OK(t, err)
	for name := range slips {
		log.Reset()
		w := post(t, h, `{"type":"turn","game":"demol","decision":"dec_9","memo":"`+name+`"}`)
		if w.Code != 500 || !strings.Contains(log.String(), "dec_9") || !strings.Contains(log.String(), "kit_test.go") {
			t.Errorf("%s: got status %d and the log %q; want 500, and the decision and the place in the log", name, w.Code, &log)
		}
	}
}

func TestABotThatWantsWordsSaysSoAndGetsThem(t *testing.T) {
	b := bot(io.Discard)
	b.Text = true
	b.Games = map[string]kit.Decide{"demol": func(_ context.Context, turn *protocol.Turn) (protocol.Answer, error) {
		return protocol.Answer{Action: []byte(`{}`), Memo: turn.Text}, nil
	}}
	h, err := kit.Handler(b)
	must.OK(t, err)
	for message, want := range map[string]string{
		`{"protocol":1,"type":"hello","challenge":"abc"}`:                  `{"challenge":"abc","name":"mo","author":"ann","build":"7","games":["demol"],"text":true}`,
		`{"type":"turn","game":"demol","decision":"d","text":"It rains."}`: `{"decision":"d","action":{},"memo":"It rains.","build":"7"}`,
	} {
		if w := post(t, h, message); w.Body.String() != want {
			t.Errorf("%s: got %s, want %s", message, w.Body, want)
		}
	}
}

func TestGetSaysWhatIsHereAndOtherMethodsAreRefused(t *testing.T) {
	for method, want := range map[string]int{http.MethodGet: 200, http.MethodHead: 200, http.MethodPut: 405, http.MethodDelete: 405} {
		w := httptest.NewRecorder()
		handler(t, io.Discard).ServeHTTP(w, httptest.NewRequest(method, "/", nil))
		if w.Code != want || want == 405 && w.Header().Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("%s: %d %v, want %d", method, w.Code, w.Header(), want)
		}
	}
}

func TestWithASecretOnlyGenuineMessagesCount(t *testing.T) {
	const hello = `{"type":"hello","challenge":"abc"}`
	for _, row := range []struct {
		name           string
		knows, signers []string
		status         int
	}{
		{"genuine", []string{secret}, []string{secret}, 200},
		{"platform rotates", []string{secret}, []string{older, secret}, 200},
		{"bot rotates", []string{secret, older}, []string{older}, 200},
		{"another secret", []string{secret}, []string{older}, 401},
		{"unsigned", []string{secret}, nil, 401},
		{"no secret known", nil, []string{older}, 200},
	} {
		t.Run(row.name, func(t *testing.T) {
			if w := post(t, handler(t, io.Discard, row.knows...), hello, row.signers...); w.Code != row.status {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, row.status)
			}
		})
	}
	if _, err := kit.Handler(bot(io.Discard), "abc"); !errors.Is(err, protocol.ErrSecret) {
		t.Errorf("a bad secret gave %v", err)
	}
}

func TestAcceptingAnybodyIsToldOnce(t *testing.T) {
	var log bytes.Buffer
	h := handler(t, &log)
	for range 3 {
		post(t, h, `{"type":"hello","challenge":"abc"}`)
	}
	if n := strings.Count(log.String(), "accepted from anybody"); n != 1 {
		t.Errorf("said %d times: %s", n, log.String())
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.OK(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- kit.ServeOn(ctx, l, handler(t, io.Discard)) }()
	response, err := http.Post("http://"+l.Addr().String(), "application/json", strings.NewReader(`{"type":"hello","challenge":"abc"}`))
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%v, %v", response, err)
	}
	_ = response.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if err := kit.Serve(context.Background(), l.Addr().String(), nil); err == nil {
		t.Error("a port in use was listened on")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// Whatever the form, the action made of it takes each field from what is offered.
func TestRandomStaysWithinTheOffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		low := rapid.IntRange(-1000, 1000).Draw(t, "min")
		high := low + rapid.IntRange(0, 50).Draw(t, "width")
		size := rapid.IntRange(1, 10).Draw(t, "of")
		k := rapid.IntRange(1, size).Draw(t, "choose")
		seats, _ := json.Marshal(rng.Perm(size))
		offer := fmt.Sprintf(`{"forms":[{"type":"team","fields":[{"name":"members","choose":%d,"of":%s},{"name":"power","min":%d,"max":%d,"unit":"mm"},{"name":"card","one_of":["a","b",null]}]}],"examples":[{}]}`, k, seats, low, high)
		answer, err := kit.Random(json.RawMessage(offer), rng)
		must.OK(t, err)
		var got struct {
			Type    string  `json:"type"`
			Members []int   `json:"members"`
			Power   int     `json:"power"`
			Card    *string `json:"card"`
		}
		must.OK(t, json.Unmarshal(answer.Action, &got))
		seen := map[int]bool{}
		for _, m := range got.Members {
			if m >= 0 && m < size {
				seen[m] = true
			}
		}
		if got.Type != "team" {
			t.Fatalf("got type %q, want team", got.Type)
		}
		if len(got.Members) != k || len(seen) != k {
			t.Fatalf("got members %v, want %d different ones", got.Members, k)
		}
		if got.Power < low || got.Power > high {
			t.Fatalf("got power %d, want %d to %d", got.Power, low, high)
		}
		if got.Card != nil && *got.Card != "a" && *got.Card != "b" {
			t.Fatalf("got card %q, want null, a or b", *got.Card)
		}
	})
}

func TestRandomReachesEveryEntry(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	seen := map[int]bool{}
	for range 200 {
		answer, err := kit.Random(json.RawMessage(`{"list":[{"type":"a"},{"type":"b"},{"type":"c"}]}`), rng)
		must.OK(t, err)
		seen[*answer.Choose] = true
	}
	if got := slices.Sorted(maps.Keys(seen)); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("chosen: %v, want 0, 1 and 2", got)
	}
}

func TestAnOfferWithNothingToChooseIsAnError(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, offer := range []string{
		`{"list":[]}`, `{}`, ``, `[]`, `{"forms":[{"type":"x","fields":[{"name":"a"}]}]}`,
		`{"forms":[{"type":"x","fields":[{"name":"a","choose":3,"of":[1]}]}]}`, `{"forms":[{"type":"x","fields":[{"name":"a","min":2,"max":1}]}]}`,
	} {
		if a, err := kit.Random(json.RawMessage(offer), rng); !errors.Is(err, kit.ErrOffer) {
			t.Errorf("%s gave %+v, %v, want %v", offer, a, err, kit.ErrOffer)
		}
	}
}

func TestChosenIsWhatTheAnswerMeans(t *testing.T) {
	k := func(n int) *int { return &n }
	for _, row := range []struct {
		offer  string
		answer protocol.Answer
		want   string
		err    error // whose fault it is
	}{
		{`{"list":[1,2,3]}`, protocol.Answer{Choose: k(2)}, "3", nil},
		{`{"forms":[{"type":"a"}],"examples":[4,5]}`, protocol.Answer{Choose: k(1)}, "5", nil},
		{`{"list":[1]}`, protocol.Answer{Action: json.RawMessage("9")}, "9", nil},
		{`{"list":[1]}`, protocol.Answer{Choose: k(1)}, "", game.ErrIllegal},
		{`{"list":[1]}`, protocol.Answer{Choose: k(-1)}, "", game.ErrIllegal},
		{`{"forms":[{"type":"a"}],"examples":[4,5]}`, protocol.Answer{Choose: k(7)}, "", game.ErrIllegal},
		{`{`, protocol.Answer{Choose: k(0)}, "", kit.ErrOffer},
	} {
		got, err := kit.Chosen(json.RawMessage(row.offer), row.answer)
		if string(got) != row.want || !errors.Is(err, row.err) {
			t.Errorf("%s: got %s, %v, want %s, %v", row.offer, got, err, row.want, row.err)
		}
	}
}
