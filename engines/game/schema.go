package game

import (
	"fmt"
	"io/fs"
)

// Schemas reads the JSON Schemas of a game, which are files so that editors and other tools read them too: schemas/config.json,
// action, view and event, by name. It panics without them, for they are part of the program.
func Schemas(files fs.FS) map[string]string {
	return SchemasNamed(files, "config", "action", "view", "event")
}

// SchemasNamed is [Schemas] for other names than a game's.
func SchemasNamed(files fs.FS, names ...string) map[string]string {
	out := make(map[string]string, len(names))
	for _, name := range names {
		b, err := fs.ReadFile(files, "schemas/"+name+".json")
		if err != nil {
			panic(fmt.Sprintf("game: a schema is not embedded: %v", err))
		}
		out[name] = string(b)
	}
	return out
}
