// Package agent lets a language model play matches against house bots on this machine, by the tools of bots/agent. Its matches leave
// records as those of molerun play do, and nothing here uses a network.
package agent
