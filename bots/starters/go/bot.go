// A bot for molerun: go run . [PORT]. Put your strategy into choose; the rest can stay as it is.
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
	"strconv"
	"strings"
	"time"
)

var games = []string{"cia", "demol", "mole", "molehill", "molemajority"}

// message is what the platform sends: a turn has View, all you see, and Offer, all you may do.
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
	List  []json.RawMessage `json:"list"`  // every legal action, or
	Forms []form            `json:"forms"` // kinds of action: every combination of the fields is legal
}

type form struct {
	Type   string  `json:"type"`
	Fields []field `json:"fields"`
}

// field is one of OneOf; or Choose different members of Of; or a whole number from Min to Max.
type field struct {
	Name     string `json:"name"`
	OneOf    []any  `json:"one_of"`
	Choose   int    `json:"choose"`
	Of       []any  `json:"of"`
	Min, Max int
}

// choose answers a turn: {"choose": k}, or {"action": {…}} made of one of the offer's forms.
func choose(turn message, rng *rand.Rand) map[string]any {
	if n := len(turn.Offer.List); n > 0 {
		return map[string]any{"choose": rng.IntN(n)}
	}
	form := turn.Offer.Forms[rng.IntN(len(turn.Offer.Forms))]
	action := map[string]any{"type": form.Type}
	for _, f := range form.Fields {
		action[f.Name] = value(f, rng)
	}
	return map[string]any{"action": action}
}

func value(f field, rng *rand.Rand) any {
	switch {
	case len(f.OneOf) > 0:
		return f.OneOf[rng.IntN(len(f.OneOf))]
	case len(f.Of) > 0:
		list := []any{}
		for _, k := range rng.Perm(len(f.Of))[:f.Choose] {
			list = append(list, f.Of[k])
		}
		return list
	}
	return f.Min + rng.IntN(f.Max-f.Min+1)
}

func answer(m message) map[string]any {
	switch m.Type {
	case "hello":
		return map[string]any{"challenge": m.Challenge, "name": "go starter", "games": games}
	case "turn":
		h := fnv.New64a() // luck follows from the decision: asked again, it gets the same answer
		h.Write([]byte(m.Decision))
		out := choose(m, rand.New(rand.NewPCG(h.Sum64(), 1)))
		out["decision"] = m.Decision
		return out
	}
	return map[string]any{}
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

func handle(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	var m message
	switch secret := os.Getenv("MOLERUN_SECRET"); {
	case err != nil:
		http.Error(w, "the message could not be read", http.StatusBadRequest)
	case secret != "" && !genuine(secret, r.Header, body, time.Now()): // refuse what the platform did not send
		http.Error(w, "the signature is not good", http.StatusUnauthorized)
	case json.Unmarshal(body, &m) != nil:
		http.Error(w, "the message is not JSON", http.StatusBadRequest)
	default:
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(answer(m)); err != nil {
			log.Print(err)
		}
	}
}

func main() {
	port := cmp.Or(os.Getenv("PORT"), "8000")
	if len(os.Args) > 1 {
		port = os.Args[1]
	}
	if os.Getenv("MOLERUN_SECRET") == "" {
		log.Print("MOLERUN_SECRET is not set: messages are accepted from anybody")
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(os.Getenv("HOST"), "127.0.0.1"), port))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://127.0.0.1:%d\n", listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{Handler: http.HandlerFunc(handle), ReadTimeout: 30 * time.Second, IdleTimeout: 3 * time.Minute}
	log.Fatal(server.Serve(listener))
}
