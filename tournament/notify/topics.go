package notify

// A topic names what has changed.

// Everything is the topic of whatever there is: all topics may have changed.
const Everything = ""

// Feed is the topic of all public events.
const Feed = "feed"

// Tournament returns the topic of a tournament's events.
func Tournament(id string) string { return "t:" + id }

// Match returns the topic of a match: its steps and its status.
func Match(id string) string { return "m:" + id }

// Box returns the topic of a mailbox: there are messages in it.
func Box(name string) string { return "b:" + name }

// Answer returns the topic of a message: it is answered.
func Answer(messageID string) string { return "l:" + messageID }
