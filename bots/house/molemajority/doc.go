// Package molemajority holds the house bots of Mole Majority. They try out turns on a table that the rules guess from a view;
// what the seat cannot know is drawn at random there.
package molemajority
