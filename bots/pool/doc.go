// Package pool is the frozen pool: the house bots that agents are evaluated against, so that two cards of one pool can be compared for ever.
// How matches are planned, played and counted must not live here.
package pool
