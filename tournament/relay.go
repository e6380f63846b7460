package tournament

import (
	"errors"
	"strings"
	"time"
)

// A bot that no connection can reach, as behind a home router, is reached through a mailbox: its address names one, and
// whoever runs molerun connect with its owner's token fetches the messages, hands them to the bot and brings the answers back.

// ErrNoRelay means that no relay fetched a message.
var ErrNoRelay = errors.New("no_relay")

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
}

// Limits of relays.
const (
	MaxMessages  = 256              // in one mailbox at a time
	MaxRelayRoom = 64               // messages held by one relay at a time
	RelayLease   = 3 * time.Second  // how long a silent relay keeps a message; then another gets it
	RelayGone    = 15 * time.Second // without a relay for this long, a mailbox takes no messages; relays call again within 10 s
)
