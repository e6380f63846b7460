// Package house holds the bots that come with the platform, several strengths for each game. They decide from the view
// and the offer on the wire, as any bot must; no engine's inside is looked at.
package house
