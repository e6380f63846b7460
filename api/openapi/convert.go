package openapi

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3conv"

	"github.com/molerun/molerun/api/httpx"
)

// version of OpenAPI that the document is written in: the first that has webhooks.
const version = "3.1.0"

// Convert makes the API's document of the Swagger 2.0 that swag makes of the operations, and adds what the older form cannot say.
// probes holds the operations for health probes, whose requests are not counted, by method and path: "GET /readyz".
func Convert(swagger []byte, probes map[string]bool, kinds []httpx.Kind) (*openapi3.T, error) {
	var old openapi2.T
	if err := json.Unmarshal(swagger, &old); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	doc, err := openapi2conv.ToV3(&old)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	if err := mend(doc, probes, kinds); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	openapi3conv.Upgrade(doc)
	doc.OpenAPI = version
	doc.Webhooks = webhooks()
	if err := prune(doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return doc, nil
}

// mend says what Swagger 2.0 and its generator cannot: media types by status, bearer tokens, null, headers, names, and what
// every route can answer.
func mend(doc *openapi3.T, probes map[string]bool, kinds []httpx.Kind) error {
	doc.Servers = openapi3.Servers{{URL: "/"}}
	doc.Info.Contact = nil // the generator leaves an empty one
	if bearer := doc.Components.SecuritySchemes["Bearer"]; bearer != nil {
		bearer.Value = openapi3.NewSecurityScheme().WithType("http").WithScheme("bearer").WithDescription("a token of the form mr_…")
	}
	for _, schema := range doc.Components.Schemas {
		if err := mendSchema(schema.Value); err != nil {
			return err
		}
	}
	code := doc.Components.Schemas["Problem"].Value.Properties["code"].Value
	for _, k := range kinds {
		code.Enum = append(code.Enum, k.Err.Error())
	}
	doc.Components.Headers = headers()
	doc.Components.Parameters = parameters()
	doc.Components.Responses = problems()
	for path, item := range doc.Paths.Map() {
		parts := strings.Split(path, "/")
		tagged := false
		if len(parts) > 3 && parts[3] == "{id}" {
			first := doc.Paths.Value(strings.Join(parts[:4], "/"))
			tagged = first != nil && first.Get != nil
		}
		for method, op := range item.Operations() {
			mendOperation(operation{Operation: op, method: method, path: path, probe: probes[method+" "+path], tagged: tagged})
		}
	}
	return nil
}

func mendSchema(schema *openapi3.Schema) error {
	for name, property := range schema.Properties {
		if property.Value == nil || property.Ref != "" {
			continue
		}
		if only := property.Value.AllOf; len(only) == 1 && only[0].Ref != "" {
			described, err := describedRef(only[0].Ref, property.Value.Description)
			if err != nil {
				return err
			}
			schema.Properties[name] = described
			continue
		}
		if property.Value.Extensions["x-nullable"] == true {
			property.Value.Nullable = true
			delete(property.Value.Extensions, "x-nullable")
		}
		openObject(property.Value)
	}
	return nil
}

// describedRef returns a reference with its own description, which the older form could only put around it: clients would make a
// type of its own of each.
func describedRef(to, description string) (*openapi3.SchemaRef, error) {
	text, err := json.Marshal(map[string]string{"$ref": to, "description": description})
	if err != nil {
		return nil, err
	}
	out := &openapi3.SchemaRef{}
	if err := json.Unmarshal(text, out); err != nil {
		return nil, err
	}
	out.Value = &openapi3.Schema{Description: description} // for the page
	return out, nil
}

// openObject says of an object whose keys are not written down that it may have any: generated clients take it for an empty
// one otherwise.
func openObject(schema *openapi3.Schema) {
	if schema.Type.Is("object") && len(schema.Properties) == 0 && schema.AdditionalProperties.Schema == nil {
		schema.AdditionalProperties = openapi3.AdditionalProperties{Has: new(true)}
	}
}

// operation is an operation with its place.
type operation struct {
	*openapi3.Operation
	method string
	path   string
	probe  bool
	tagged bool // what the path begins with can be read, and so has an ETag
}

// streamed reports whether an operation answers in parts, which have no ETag.
func (op operation) streamed() bool {
	for status, answer := range op.Responses.Map() {
		if status == "200" && len(answer.Value.Content) == 1 {
			for kind := range answer.Value.Content {
				return slices.Contains([]string{"application/x-ndjson", "application/x-tar", "text/event-stream"}, kind)
			}
		}
	}
	return false
}

func mendOperation(op operation) {
	secured := op.Security != nil
	if !secured {
		op.Security = openapi3.NewSecurityRequirements()
	}
	if op.RequestBody != nil && op.RequestBody.Value != nil {
		op.RequestBody.Value.Description = "" // the schema says what it is
		for _, media := range op.RequestBody.Value.Content {
			media.Example = example(op.OperationID)
			op.RequestBody.Value.Content = openapi3.Content{httpx.JSONType: media}
		}
	}
	for code, answer := range op.Responses.Map() {
		status, err := strconv.Atoi(code)
		switch {
		case err != nil || answer.Value == nil:
		case status < http.StatusBadRequest:
			answer.Value.Headers = op.answerHeaders(status)
		default:
			op.Responses.Set(code, problemRef(status))
		}
	}
	if op.method == http.MethodGet && !op.streamed() {
		unchanged := openapi3.NewResponse().WithDescription("unchanged since the ETag of If-None-Match")
		unchanged.Headers = op.answerHeaders(http.StatusNotModified)
		op.Responses.Set("304", &openapi3.ResponseRef{Value: unchanged})
	}
	if secured {
		op.Responses.Set("401", problemRef(http.StatusUnauthorized))
	}
	if !op.probe {
		op.Responses.Set("429", problemRef(http.StatusTooManyRequests))
	}
	op.Responses.Set("default", problemRef(0))
	op.takeHeaders()
}

//go:embed examples
var examples embed.FS

// example returns the body that the document shows for an operation; nil if it shows none.
func example(id string) any {
	text, err := examples.ReadFile("examples/" + id + ".json")
	if err != nil {
		return nil
	}
	return json.RawMessage(text)
}

// prune drops the schemas that nothing in doc refers to.
func prune(doc *openapi3.T) error {
	all := doc.Components.Schemas
	used := openapi3.Schemas{}
	doc.Components.Schemas = used
	for grown := true; grown; {
		grown = false
		text, err := json.Marshal(doc)
		if err != nil {
			return err
		}
		for name, schema := range all {
			if used[name] == nil && bytes.Contains(text, []byte(`"`+schemaRef+name+`"`)) {
				used[name] = schema
				grown = true
			}
		}
	}
	return nil
}
