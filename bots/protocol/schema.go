package protocol

import (
	"embed"

	"github.com/molerun/molerun/engines/game"
)

//go:embed schemas/*.json
var schemaFiles embed.FS

// schemaNames lists the messages that have a schema, in the order of a match.
func schemaNames() []string {
	return []string{"hello", "hello_answer", "start", "turn", "answer", "end"}
}

// Schemas are the JSON Schemas (2020-12) of all messages by name ([schemaNames]). They are generated from the Go types by
// this package's tests. Messages of the platform may carry more keys one day, so a bot must not refuse unknown ones;
// answers with unknown keys are refused.
func Schemas() map[string]string { return game.SchemasNamed(schemaFiles, schemaNames()...) }
