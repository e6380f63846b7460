// Package matches plays on this machine, without a database or an account, between house bots and bots behind URLs. It runs
// series of matches that can be resumed, and works on the record of one match: shows it, forks it, asks a bot again. The
// commands decide what is printed, and the exit code.
package matches
