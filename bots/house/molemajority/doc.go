// Package molemajority holds the house bots of Mole Majority. They try turns out on a table that the rules guess from a view:
// what the seat cannot know is drawn by lot there.
package molemajority
