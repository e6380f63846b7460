// Package pages draws what people look at: the pages, and the viewer of a match, also as one file. It knows templates, files and how a
// match is played again; no database, no routes, and not what may be shown to whom: that is package api's.
package pages
