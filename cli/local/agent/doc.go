// Package agent lets a language model play matches on this machine, as tools of the Model Context Protocol; rules, engines and
// house bots live elsewhere, and nothing here calls a network.
package agent
