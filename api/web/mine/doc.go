// Package mine fills the one page that is for who is logged in: their bots, tokens and webhooks. It changes nothing, and does not
// know how anybody logs in.
package mine
