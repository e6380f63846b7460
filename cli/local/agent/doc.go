// Package agent lets a language model play matches on this machine, as tools of the Model Context Protocol. Rules, engines
// and house bots live elsewhere, and nothing here uses a network.
package agent
