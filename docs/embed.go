package docs

import (
	"embed"
	"io/fs"
)

//go:embed swagger.json rules
var files embed.FS

// Files are the documents that the API serves: swagger.json (Swagger 2.0, generated from the annotations in package api)
// and the rules of each game as rules/GAME.md.
func Files() fs.FS { return files }
