// Package runner plays one match: it asks the players due, keeps their clocks, replaces failed decisions with the house's,
// and records every step before it counts. It knows no database and no HTTP.
package runner
