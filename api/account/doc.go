// Package account answers what a user asks about their own account. What a token may do is package tournament's to say, and
// who may ask is package gate's.
package account
