// Package agent lets a language model play at a seat, by tools of the Model Context Protocol: it shows a turn in words and takes a
// decision. Whose seats these are, and where their matches run, its [Host] knows: nothing here uses a network or a clock.
package agent
