// Package card is the scorecard of an agent as a value, and the forms in which people and programs read it. How a card is made or proven must
// not live here.
package card
