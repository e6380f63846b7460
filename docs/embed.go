package docs

import (
	"embed"
	"io/fs"
)

//go:embed openapi.json openapi.html *.md rules decisions
var files embed.FS

// Files are the documents that the API serves: openapi.json and, for people, openapi.html, which are generated from the annotations in
// package api, the guides as NAME.md, the rules of each game as rules/GAME.md, and the decisions.
func Files() fs.FS { return files }
