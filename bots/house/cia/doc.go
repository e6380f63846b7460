// Package cia holds the house bots of CIA. They weigh the boards that a turn can lead to; thinker and searcher keep in their
// memo who seems to run which agent.
package cia
