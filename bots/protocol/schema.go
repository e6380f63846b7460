package protocol

import (
	"embed"

	"github.com/molerun/molerun/engines/game"
)

//go:embed schemas/*.json
var schemaFiles embed.FS

// Schemas returns the JSON Schemas (2020-12) of all messages by name. This package's tests generate them from the
// Go types. The platform's messages may gain keys, so a bot must accept unknown ones; answers with unknown keys are refused.
func Schemas() map[string]string {
	return game.SchemasNamed(schemaFiles, "hello", "hello_answer", "start", "turn", "answer", "end")
}
