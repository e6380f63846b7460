// Package matches plays on this machine, without a database or an account, between house bots and bots behind URLs: series of
// matches that can be resumed, and what may be done with the record of one match: show it, fork it, ask a bot again. What is
// printed, and with which exit code, is for the commands to say.
package matches
