// Package mailbox keeps the messages to bots behind a relay, from who sends one until the relay brings the answer. What a
// message says must not matter here.
package mailbox
