package wire

// RelayFetch asks for messages to the bots at a mailbox.
type RelayFetch struct {
	Relay string   `json:"relay" format:"uuid"` // a random id of this relay, the same until it ends
	Holds []string `json:"holds"`               // ids of messages that it has but has not answered
	Room  int      `json:"room" example:"8"`    // how many more it can take, 0 to 64
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
