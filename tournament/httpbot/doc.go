// Package httpbot is the [runner.Player] that is a bot behind a URL: it signs and sends the platform's messages, guards
// what may be dialled, bounds what may come back, and says whose fault a failure is; webhooks get their events the same way.
// What an answer means for the game, and what a fault costs, is the runner's.
package httpbot
