// Package inprocess seats bots of this process at matches, without a network between. What they decide is not for here.
package inprocess
