// Package cli holds the commands: it reads flags and environment, wires the real parts together and prints. It is the only
// place that does; no rule of a game, a match or a tournament lives here.
package cli
