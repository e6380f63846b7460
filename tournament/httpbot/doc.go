// Package httpbot is the [runner.Player] for a bot behind a URL. It signs and sends the platform's messages, guards which
// addresses may be dialled, limits what may come back, and says whose fault a failure is. Webhooks get their events the same
// way. The runner decides what an answer means for the game and what a fault costs.
package httpbot
