// Package account is who calls which platform: what login keeps, read by every command that calls one. It knows no command.
package account
