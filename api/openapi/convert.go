package openapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi2"
	"github.com/getkin/kin-openapi/openapi2conv"
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/httpx"
)

// Convert makes an OpenAPI 3 document of the Swagger 2.0 that swag makes of the annotations, and says what the older form cannot.
func Convert(swagger []byte) (*openapi3.T, error) {
	var old openapi2.T
	if err := json.Unmarshal(swagger, &old); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	doc, err := openapi2conv.ToV3(&old)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	mend(doc)
	return doc, nil
}

// mend says what Swagger 2.0 and its generator cannot: media types by status, bearer tokens, null, and what every route
// can answer.
func mend(doc *openapi3.T) {
	doc.Servers = openapi3.Servers{{URL: "/"}}
	if bearer := doc.Components.SecuritySchemes["Bearer"]; bearer != nil {
		bearer.Value = openapi3.NewSecurityScheme().WithType("http").WithScheme("bearer").WithDescription("a token of the form mr_…")
	}
	for _, schema := range doc.Components.Schemas {
		mendSchema(schema.Value)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			mendOperation(method, path, op)
		}
	}
}

func mendSchema(schema *openapi3.Schema) {
	for _, property := range schema.Properties {
		if property.Value == nil {
			continue
		}
		if property.Value.Extensions["x-nullable"] == true {
			property.Value.Nullable = true
			delete(property.Value.Extensions, "x-nullable")
		}
	}
}

func mendOperation(method, path string, op *openapi3.Operation) {
	op.OperationID = operationID(method, path, slices.Contains(op.Tags, "pages"))
	if op.RequestBody != nil && op.RequestBody.Value != nil {
		for _, media := range op.RequestBody.Value.Content {
			op.RequestBody.Value.Content = openapi3.Content{httpx.JSONType: media}
		}
	}
	for code, answer := range op.Responses.Map() {
		status, err := strconv.Atoi(code)
		if err != nil || answer.Value == nil || status < http.StatusBadRequest {
			continue
		}
		answer.Value = problemResponse(http.StatusText(status))
		answer.Ref = ""
	}
	mendHeaders(method, path, op)
	if method == http.MethodGet {
		op.Responses.Set("304", &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("unchanged since the ETag of If-None-Match")})
	}
	op.Responses.Set("default", &openapi3.ResponseRef{Value: problemResponse(
		"any other error: 400 bad query or body, 401 bad token, 429 too many requests, 500 a fault of ours, 503 not ready")})
}

// mendHeaders adds the request headers that routes of a kind take.
func mendHeaders(method, path string, op *openapi3.Operation) {
	header := func(name, description string, schema *openapi3.Schema) {
		op.AddParameter(openapi3.NewHeaderParameter(name).WithDescription(description).WithSchema(schema))
	}
	if method == http.MethodPost {
		header("Idempotency-Key", "carry this request out once: asked again within a day with the same key and body, the first answer is given",
			openapi3.NewStringSchema().WithMinLength(httpx.MinKey).WithMaxLength(httpx.MaxKey))
	}
	if parts := strings.Split(path, "/"); method != http.MethodGet && len(parts) > 3 && parts[3] == "{id}" {
		header("If-Match", "refuse with 412 unless this is the ETag of the thing that the path begins with", openapi3.NewStringSchema())
	}
}

func problemResponse(description string) *openapi3.Response {
	ref := openapi3.NewSchemaRef("#/components/schemas/Problem", nil)
	return openapi3.NewResponse().WithDescription(description).WithContent(openapi3.Content{httpx.ProblemType: openapi3.NewMediaType().WithSchemaRef(ref)})
}

// operationID names an operation for generated clients: get_bots_id_matches.
func operationID(method, path string, page bool) string {
	words := strings.FieldsFunc(strings.TrimPrefix(path, "/v1"), func(r rune) bool { return strings.ContainsRune("/{}-.", r) })
	if page {
		words = append([]string{"page"}, words...) // pages are named after the same things as the API
	}
	return strings.Join(append([]string{strings.ToLower(method)}, words...), "_")
}

// sortedPaths are the paths of the document in reading order.
func sortedPaths(doc *openapi3.T) []string { return slices.Sorted(maps.Keys(doc.Paths.Map())) }
