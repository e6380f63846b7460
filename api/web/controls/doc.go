// Package controls turns the offer of a turn into what a person fills in on a page, and that into an action. It knows no game and no
// HTML: how it looks is for the templates, and what is legal for the rules.
package controls
