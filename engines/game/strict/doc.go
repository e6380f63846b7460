// Package strict is the JSON decoder for everything that comes from outside: API bodies, bot answers, configurations, console
// lines and replay files. It knows only form, not meaning.
package strict
