// A bot for molerun: go run . [PORT]
// Put your strategy into choose; the rest can stay as it is.
package main

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

const (
	name            = "go starter"
	maxMessageBytes = 4 << 20
)

var games = []string{"cia", "demol", "mole", "molehill", "molemajority"}

var secretForm = regexp.MustCompile(`^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`)

// message is what the platform sends. A turn has View, all you see, and
// Offer, all you may do.
type message struct {
	Type      string          `json:"type"`
	Challenge string          `json:"challenge"`
	Game      string          `json:"game"`
	Seat      int             `json:"seat"`
	Decision  string          `json:"decision"`
	View      json.RawMessage `json:"view"`
	Offer     offer           `json:"offer"`
}

type offer struct {
	List  []json.RawMessage `json:"list"`  // every legal action; or
	Forms []form            `json:"forms"` // kinds of action, legal in every combination of their fields
}

type form struct {
	Type   string  `json:"type"`
	Fields []field `json:"fields"`
}

// field is one of OneOf; or Choose different members of Of; or a whole number
// from Min to Max.
type field struct {
	Name   string `json:"name"`
	OneOf  []any  `json:"one_of"`
	Choose int    `json:"choose"`
	Of     []any  `json:"of"`
	Min    int    `json:"min"`
	Max    int    `json:"max"`
}

// choose answers a turn. The answer is {"choose": k}, the action at place k of
// the offer's list, or {"action": {…}}, made from one of the offer's forms.
func choose(turn message, rng *rand.Rand) map[string]any {
	if n := len(turn.Offer.List); n > 0 {
		return map[string]any{"choose": rng.IntN(n)}
	}
	form := turn.Offer.Forms[rng.IntN(len(turn.Offer.Forms))]
	action := map[string]any{"type": form.Type}
	for _, f := range form.Fields {
		action[f.Name] = pick(f, rng)
	}
	return map[string]any{"action": action}
}

// pick picks any value that the field of a form allows.
func pick(f field, rng *rand.Rand) any {
	switch {
	case len(f.OneOf) > 0:
		return f.OneOf[rng.IntN(len(f.OneOf))]
	case len(f.Of) > 0:
		picked := []any{}
		for _, k := range rng.Perm(len(f.Of))[:f.Choose] {
			picked = append(picked, f.Of[k])
		}
		return picked
	}
	return f.Min + rng.IntN(f.Max-f.Min+1)
}

// answer answers any message of the platform; unknown ones with {}.
func answer(m message) map[string]any {
	switch m.Type {
	case "hello":
		return map[string]any{"challenge": m.Challenge, "name": name, "games": games}
	case "turn":
		out := choose(m, luck(m.Decision))
		out["decision"] = m.Decision
		return out
	}
	return map[string]any{}
}

// luck follows from the decision: a decision that is asked again gets the same
// answer.
func luck(decision string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(decision))
	return rand.New(rand.NewPCG(h.Sum64(), 1))
}

// genuine reports whether the platform sent this: https://www.standardwebhooks.com
func genuine(secret string, h http.Header, body []byte, now time.Time) bool {
	stamp := h.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", h.Get("webhook-id"), stamp, body)
	mine := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, one := range strings.Fields(h.Get("webhook-signature")) {
		if hmac.Equal([]byte(one), []byte(mine)) {
			return true
		}
	}
	return false
}

// knownSecret returns MOLERUN_SECRET without quotes, spaces and marks that
// shells and editors leave around it.
func knownSecret() string {
	return strings.TrimFunc(os.Getenv("MOLERUN_SECRET"), func(r rune) bool {
		return r <= ' ' || r > 'z' || strings.ContainsRune("\"'`<>", r)
	})
}

// reply returns the answer as JSON. A slip in choose is an error, and so is a
// panic: without an answer the platform would ask again and again.
func reply(m message) (out []byte, err error) {
	defer func() {
		if slip := recover(); slip != nil {
			err = fmt.Errorf("%v\n%s", slip, debug.Stack())
		}
	}()
	return json.Marshal(answer(m))
}

func handle(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost { // a person, or a host's health check
		fmt.Fprintf(w, "%s is a bot of molerun and runs.\n", name)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessageBytes))
	if err != nil {
		http.Error(w, "the message could not be read", http.StatusBadRequest)
		return
	}
	secret := knownSecret()
	if secret != "" && !genuine(secret, r.Header, body, time.Now()) {
		http.Error(w, "the platform did not send this", http.StatusUnauthorized)
		return
	}
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		http.Error(w, "the message is not JSON", http.StatusBadRequest)
		return
	}
	out, err := reply(m)
	if err != nil {
		log.Print(err) // the platform plays for you this once
		http.Error(w, "the bot failed; its log says why", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(out)
}

// main listens on the port of the command line, of PORT, or 8000.
func main() {
	host := cmp.Or(os.Getenv("HOST"), "127.0.0.1")
	port := cmp.Or(os.Getenv("PORT"), "8000")
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	if secret := knownSecret(); secret == "" {
		log.Print("MOLERUN_SECRET is not set: messages are accepted from anybody")
	} else if !secretForm.MatchString(secret) {
		log.Fatal("MOLERUN_SECRET is no secret: want it whole, whsec_ and base64, as you got it when you registered the bot")
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://127.0.0.1:%d\n", listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{
		Handler:     http.HandlerFunc(handle),
		ReadTimeout: 30 * time.Second,
		IdleTimeout: 3 * time.Minute, // the platform ends connections, not we
	}
	log.Fatal(server.Serve(listener))
}
