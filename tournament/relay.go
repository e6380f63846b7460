package tournament

import (
	"errors"
	"strings"
	"time"
)

// A bot that no connection can reach, as behind a home router, is reached through a mailbox: its address names one, and
// whoever runs molerun connect with its owner's token fetches the messages, hands them to the bot and brings the answers back.

// ErrNoRelay means that a message was fetched by nobody.
var ErrNoRelay = errors.New("no_relay")

// relayScheme begins the address of a bot behind a relay as we keep it.
const relayScheme = "relay://"

// RelayAddress is the address of a mailbox: that of one owner, by a name which is the same in any case.
func RelayAddress(ownerID, name string) string {
	return relayScheme + ownerID + "/" + strings.ToLower(name)
}

// RelayName is the name of the mailbox at an address; false if the address is none of a mailbox.
func RelayName(address string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(address, relayScheme)
	_, name, _ = strings.Cut(rest, "/")
	return name, ok
}

// Letter is one message to a bot, as it waits in a mailbox.
type Letter struct {
	ID   string            // of this letter; a message that is sent anew after a crash is another letter with the same webhook-id
	Head map[string]string // the headers of the message, signature included
	Body []byte
	Left time.Duration // until the answer is late
}

// LetterAnswer is what the bot answered to a letter.
type LetterAnswer struct {
	Status   int    // of HTTP
	Encoding string // its Content-Encoding; "" or identity is plain
	Body     []byte
}

// Bounds of what relays do.
const (
	MaxLetters   = 256              // in one mailbox at a time
	MaxRelayRoom = 64               // letters held by one relay at a time
	RelayLease   = 3 * time.Second  // how long a relay keeps a letter without saying so; then another is given it
	RelayGone    = 15 * time.Second // after so long without a relay a mailbox takes no letters; relays come again within 10 s
)
