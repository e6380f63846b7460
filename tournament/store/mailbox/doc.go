// Package mailbox keeps the messages to bots behind a relay until the relay brings the answer. It does not look at what a
// message says.
package mailbox
