// Package inprocess seats bots of this process at matches, without a network in between. What they decide must not live here.
package inprocess
