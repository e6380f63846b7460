package mole

import _ "embed" // the schemas are files, so that editors and other tools read them too

//go:embed schemas/config.json
var configSchema string

//go:embed schemas/action.json
var actionSchema string

//go:embed schemas/view.json
var viewSchema string

//go:embed schemas/event.json
var eventSchema string

// Schemas are the JSON Schemas (2020-12) of config, action, view and event.
func (Rules) Schemas() map[string]string {
	return map[string]string{"config": configSchema, "action": actionSchema, "view": viewSchema, "event": eventSchema}
}
