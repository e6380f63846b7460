package docs

import (
	"embed"
	"io/fs"
)

//go:embed openapi.json *.md rules decisions agents
var files embed.FS

// Files returns the documents that the API serves: openapi.json, which is generated from package api, the guides as NAME.md, the rules
// of each game as rules/GAME.md, and the decisions.
func Files() fs.FS { return files }
