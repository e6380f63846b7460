// Package house holds the bots that come with the platform, several strengths for each game, and plays matches of them in
// process. They decide from the view and the offer on the wire, as any bot must; the searcher simulates through the engines'
// public rules, and no engine's inside is looked at.
package house
