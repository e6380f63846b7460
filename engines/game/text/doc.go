// Package text decides which text of bots, users and files is kept. It knows characters and lengths, not what a text means.
package text
