package molemajority

import _ "embed" // the schemas are files so that other tools can read them too

var (
	//go:embed schemas/config.json
	configSchema string
	//go:embed schemas/action.json
	actionSchema string
	//go:embed schemas/view.json
	viewSchema string
	//go:embed schemas/event.json
	eventSchema string
)

// Schemas are the JSON Schemas (2020-12) of the game by name.
func (Rules) Schemas() map[string]string {
	return map[string]string{"config": configSchema, "action": actionSchema, "view": viewSchema, "event": eventSchema}
}
