package tournament

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/molerun/molerun/engines/catalog"
)

// A bot that no connection can reach, as behind a home router, is reached through a mailbox: its address names one, and
// whoever runs molerun connect with its owner's token fetches the messages, hands them to the bot and brings the answers back.

// ErrNoRelay means that no relay fetched a message.
var ErrNoRelay = errors.New("no_relay")

// ErrUnserved means that a relay could not fetch a message, or not bring its answer: no process served the API meanwhile.
var ErrUnserved = errors.New("unserved")

// relayScheme begins the address of a bot behind a relay as we keep it.
const relayScheme = "relay://"

// RelayAddress returns the address of an owner's mailbox; its name ignores case.
func RelayAddress(ownerID, name string) string {
	return relayScheme + ownerID + "/" + strings.ToLower(name)
}

// RelayName returns the name of the mailbox at an address; false if it is not a mailbox's address.
func RelayName(address string) (string, bool) {
	rest, ok := strings.CutPrefix(address, relayScheme)
	_, name, _ := strings.Cut(rest, "/")
	return name, ok
}

// An agent is a bot that asks for its turns by tools (POST /mcp). It has a mailbox as a bot behind a relay has; agentMark begins the name
// of it, so that no relay can name it.
const agentMark = "~"

// AgentAddress returns the address of an agent of an owner; its name ignores case.
func AgentAddress(ownerID, name string) string { return RelayAddress(ownerID, agentMark+name) }

// AgentName returns the name of the agent at an address; false if it is not an agent's address.
func AgentName(address string) (string, bool) {
	name, _ := RelayName(address)
	return strings.CutPrefix(name, agentMark)
}

// AgentAway is how long an agent counts as there after it last called a tool: it may think for so long between two calls.
const AgentAway = 5 * time.Minute

// AgentAnswer returns what the platform answers to a message to an agent that is there and that it need not decide about: its tools take
// turns alone. False for a turn.
func AgentAnswer(message []byte) ([]byte, bool) {
	var m struct{ Type, Challenge string }
	if json.Unmarshal(message, &m) != nil || m.Type == "turn" {
		return nil, false
	}
	if m.Type != "hello" {
		return []byte("{}"), true
	}
	var games []string
	for _, e := range catalog.All() {
		games = append(games, e.Info().ID)
	}
	out, err := json.Marshal(struct {
		Challenge string   `json:"challenge"`
		Games     []string `json:"games"`
		Text      bool     `json:"text"`
	}{m.Challenge, games, true})
	return out, err == nil
}

// Message is one message to a bot, waiting in a mailbox.
type Message struct {
	ID   string            // of this one; a message sent again after a crash is another one with the same webhook-id
	Head map[string]string // the headers of the message, signature included
	Body []byte
	Left time.Duration // time left to answer
}

// MessageAnswer is what the bot answered to a message.
type MessageAnswer struct {
	Status   int    // of HTTP
	Encoding string // its Content-Encoding; "" or identity is plain
	Body     []byte
	Free     time.Duration // of the time that it took, what the platform's API was away
}

// Limits of relays.
const (
	MaxMessages  = 256              // in one mailbox at a time
	MaxRelayRoom = 64               // messages held by one relay at a time
	RelayLease   = 3 * time.Second  // how long a silent relay keeps a message; then another gets it
	RelayGone    = 15 * time.Second // without a relay for this long, a mailbox takes no messages; relays call again within 10 s
)
