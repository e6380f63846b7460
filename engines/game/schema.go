package game

import (
	"fmt"
	"io/fs"
	"strings"
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

// offerSchema is the JSON Schema of an offer, for every game. It ends where the game's schema of an action goes on, whose $id keeps its
// references to itself.
const offerSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "an offer: the complete list of legal actions, or forms and some legal examples",
  "type": "object",
  "additionalProperties": false,
  "oneOf": [{ "required": ["list"] }, { "required": ["forms", "examples"] }],
  "properties": {
    "list": { "type": "array", "items": { "$ref": "https://github.com/molerun/molerun/action.json" } },
    "forms": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/form" } },
    "examples": { "type": "array", "minItems": 1, "items": { "$ref": "https://github.com/molerun/molerun/action.json" } }
  },
  "$defs": {
    "form": {
      "description": "A kind of action: every combination of its fields is legal.",
      "type": "object",
      "additionalProperties": false,
      "required": ["type"],
      "properties": { "type": { "type": "string" }, "fields": { "type": "array", "items": { "$ref": "#/$defs/field" } } }
    },
    "field": {
      "description": "One of one_of; or choose different members of of; or a whole number from min to max, in unit. With a domain, these are some of the legal values only.",
      "type": "object",
      "additionalProperties": false,
      "required": ["name"],
      "oneOf": [{ "required": ["one_of"] }, { "required": ["choose", "of"] }, { "required": ["min", "max"] }],
      "properties": {
        "name": { "type": "string" },
        "one_of": { "type": "array", "minItems": 1 },
        "choose": { "type": "integer", "minimum": 1 },
        "of": { "type": "array", "minItems": 1 },
        "min": { "type": "integer" },
        "max": { "type": "integer" },
        "unit": { "type": "string" },
        "domain": { "$ref": "#/$defs/domain" }
      }
    },
    "domain": {
      "description": "All legal values: share points among keys; give each thing to one of some keys; or points within a rectangle, no nearer than gap.",
      "type": "object",
      "additionalProperties": false,
      "properties": {
        "share": { "type": "integer", "minimum": 1 },
        "give": { "type": "array" },
        "among": { "type": "array" },
        "within": { "type": "array", "minItems": 4, "maxItems": 4, "items": { "type": "integer" } },
        "gap": { "type": "integer", "minimum": 0 }
      }
    },
    "action": {
      "$id": "https://github.com/molerun/molerun/action.json",`

// withOffer adds the schema of an offer, whose actions are those of the schema action.
func withOffer(schemas map[string]string) map[string]string {
	action := strings.TrimRight(strings.TrimPrefix(schemas["action"], "{"), "\n")
	if action != "" {
		schemas["offer"] = offerSchema + strings.ReplaceAll(action, "\n", "\n    ") + "\n  }\n}\n"
	}
	return schemas
}
