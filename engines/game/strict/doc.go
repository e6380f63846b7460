// Package strict is the one JSON decoder of the house for everything that comes from outside: API bodies, bot answers,
// configurations, console lines and replay files. It knows no meaning, only form.
package strict
