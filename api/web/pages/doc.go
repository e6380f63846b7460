// Package pages draws what people look at: the pages, and the viewer of a match, also as a single file. It knows templates,
// files and how to replay a match, but no database and no routes. Package api decides what may be shown to whom.
package pages
