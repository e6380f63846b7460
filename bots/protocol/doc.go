// Package protocol holds the messages between the platform and a bot, their limits and their signatures, shared by the
// platform's side (tournament/httpbot) and the bot's (bots/kit). How a bot is reached, and what a game means, live elsewhere.
package protocol
