package docs

import (
	"embed"
	"io/fs"
)

//go:embed openapi.json openapi.html rules
var files embed.FS

// Files are the documents that the API serves: openapi.json and, for people, openapi.html, which are generated from the annotations in
// package api, and the rules of each game as rules/GAME.md.
func Files() fs.FS { return files }
