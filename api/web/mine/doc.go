// Package mine fills the pages of the user who is logged in: their bots, tokens and webhooks. It changes nothing, and does not
// know how anybody logs in.
package mine
