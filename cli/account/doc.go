// Package account holds the login that commands use: which platform, and which user's token. It knows no command.
package account
