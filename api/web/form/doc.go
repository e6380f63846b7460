// Package form makes the body of an operation's request a form for people: its fields follow from the request type, what is typed
// becomes the JSON that the operation reads, and what the operation refuses comes back beside the fields.
package form
