// Package kit turns a function that decides into an HTTP server: a bot in Go is one function. It knows the protocol and no
// game. It is the bot's side only and never calls the platform.
package kit
