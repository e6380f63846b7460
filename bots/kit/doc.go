// Package kit makes an HTTP server of a function that decides: a bot in Go is one function. It knows the protocol and no
// game; it is the bot's side only and never calls the platform.
package kit
