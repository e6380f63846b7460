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

// Schemas returns the JSON Schemas (2020-12) of all messages by name ([schemaNames]). This package's tests generate them from the
// Go types. The platform's messages may gain keys, so a bot must accept unknown ones; answers with unknown keys are refused.
func Schemas() map[string]string { return game.SchemasNamed(schemaFiles, schemaNames()...) }
