package wire

import (
	"github.com/molerun/molerun/api/op"
)

// The operations on relays.
var (
	// @Summary	Fetch messages for a bot that cannot be called
	// @Description	For a relay, such as molerun connect, of a bot whose url is relay:NAME. A mailbox belongs to its owner: the name is
	// @Description	one of the caller's own. The answer comes when there are messages, or after ten seconds without. A relay that holds
	// @Description	messages must ask again within three seconds, or another gets them. Relays have their own request rate.
	FetchMessages = op.Post[MailboxFetch, RelayMessages]("/v1/relays/{name}/fetch", "bot", op.Unaudited())

	// @Summary	Return an answer
	// @Description	The first answer to a message counts. A second answer, a late one, or one to a message that no relay of this mailbox
	// @Description	fetched, is refused.
	AnswerMessage = op.Post[MailboxAnswer, op.None]("/v1/relays/{name}/answer", "bot", op.WithStatus(204), op.Unaudited())
)

// MailboxFetch fetches messages from a mailbox.
type MailboxFetch struct {
	Name string `uri:"name" help:"name of the mailbox" json:"-"`
	Body RelayFetch
}

// MailboxAnswer answers a message of a mailbox.
type MailboxAnswer struct {
	Name string `uri:"name" help:"name of the mailbox" json:"-"`
	Body RelayAnswer
}

// RelayFetch asks for messages to the bots at a mailbox.
type RelayFetch struct {
	Relay string   `json:"relay" format:"uuid"` // a random id of this relay, the same until it ends
	Holds []string `json:"holds"`               // ids of messages that it has but has not answered
	Room  int      `json:"room" example:"8"`    // how many more it can take, 0 to 64; of 0, with nothing held, the answer comes at once
} // @name RelayFetch

// RelayMessages are messages to post to the bot unchanged.
type RelayMessages struct {
	Data []RelayMessage `json:"data"` // the oldest first; empty if none came while the platform waited
} // @name RelayMessages

// RelayMessage is one message.
type RelayMessage struct {
	ID     string            `json:"id"`
	Head   map[string]string `json:"head"`                                    // the headers to send, signature included
	Body   []byte            `json:"body" swaggertype:"string" format:"byte"` // base64
	LeftMS int64             `json:"left_ms"`                                 // time left to answer
} // @name RelayMessage

// RelayAnswer is what the bot answered.
type RelayAnswer struct {
	ID       string `json:"id"`                                                // of the message
	Status   int    `json:"status" example:"200"`                              // HTTP status, 100 to 599; 502 if the bot could not be asked
	Encoding string `json:"content_encoding,omitempty" maxLength:"32"`         // the bot's Content-Encoding
	Body     []byte `json:"body,omitempty" swaggertype:"string" format:"byte"` // base64 of at most 65537 bytes; cut a longer one there, and it counts as too large
} // @name RelayAnswer
