// Package text decides which text from bots, users and files is allowed. It knows characters and lengths, not what a text
// means.
package text
