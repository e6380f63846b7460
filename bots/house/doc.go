// Package house holds the bots that come with the platform, of several strengths for each game, and plays matches between
// them in process. Like any bot they decide from the view and the offer on the wire; the searcher simulates with the engines'
// public rules. No bot looks inside an engine.
package house
