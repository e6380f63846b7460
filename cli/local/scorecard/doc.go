// Package scorecard evaluates agents: the registered plans, the matches of a plan, the card that follows from their records, and whether a
// card does. How matches are played lives in package matches, who is in the pool in package pool.
package scorecard
