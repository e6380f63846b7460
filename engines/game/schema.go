package game

import (
	"fmt"
	"io/fs"
)

// Schemas reads the JSON Schemas of a game, by name: schemas/config.json, action, view and event. They are files so that
// editors and other tools can read them too. It panics if one is missing, because they are part of the program.
func Schemas(files fs.FS) map[string]string {
	return SchemasNamed(files, "config", "action", "view", "event")
}

// SchemasNamed returns [Schemas] for other names than a game's.
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
