package openapi

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/httpx"
)

// Where shared parts stand in the document.
const (
	schemaRef    = "#/components/schemas/"
	headerRef    = "#/components/headers/"
	parameterRef = "#/components/parameters/"
	responseRef  = "#/components/responses/"
)

// headers returns the headers of answers, by the name that HTTP gives them.
func headers() openapi3.Headers {
	out := openapi3.Headers{}
	for name, description := range map[string]string{
		"ETag":                "names this content; send it as If-None-Match, or as If-Match with a change",
		"Idempotent-Replayed": "true if this is the stored answer to an earlier request with the same Idempotency-Key",
		"Link":                `the next page of a list (rel="next"); next_cursor in the body says the same`,
		"Location":            "the path of what was made",
		"RateLimit":           "how much is left of each limit (r), and the seconds until it is whole again (t)",
		"RateLimit-Policy":    "each limit that was counted: how many requests (q) in how many seconds (w)",
		"WWW-Authenticate":    "Bearer",
		"X-Request-Id":        "names this request in the platform's log",
	} {
		out[name] = header(description, openapi3.NewStringSchema())
	}
	out["Retry-After"] = header("the seconds to wait before the next try", openapi3.NewIntegerSchema().WithMin(1))
	return out
}

func header(description string, schema *openapi3.Schema) *openapi3.HeaderRef {
	return &openapi3.HeaderRef{Value: &openapi3.Header{Parameter: openapi3.Parameter{
		Description: description,
		Schema:      schema.NewRef(),
	}}}
}

func headerRefs(names ...string) openapi3.Headers {
	out, all := openapi3.Headers{}, headers()
	for _, name := range names {
		out[name] = &openapi3.HeaderRef{Ref: headerRef + name, Value: all[name].Value}
	}
	return out
}

// answerHeaders returns the headers of an operation's answer below 400.
func (op operation) answerHeaders(status int) openapi3.Headers {
	names := []string{"X-Request-Id"}
	if !op.probe {
		names = append(names, "RateLimit", "RateLimit-Policy")
	}
	switch {
	case op.method == http.MethodGet && status != http.StatusNoContent && !op.streamed():
		names = append(names, "ETag")
	case op.method == http.MethodPost:
		names = append(names, "Idempotent-Replayed")
	}
	if status == http.StatusCreated {
		names = append(names, "Location")
	}
	if op.Parameters.GetByInAndName(openapi3.ParameterInQuery, "cursor") != nil {
		names = append(names, "Link")
	}
	return headerRefs(names...)
}

// parameters returns the headers of requests that routes of a kind take.
func parameters() openapi3.ParametersMap {
	out := openapi3.ParametersMap{}
	add := func(name, description string, schema *openapi3.Schema) {
		p := openapi3.NewHeaderParameter(name).WithDescription(description).WithSchema(schema)
		out[name] = &openapi3.ParameterRef{Value: p}
	}
	add("Idempotency-Key", "carry this request out once: asked again within a day with the same key and body, the first answer is given",
		openapi3.NewStringSchema().WithMinLength(httpx.MinKey).WithMaxLength(httpx.MaxKey))
	add("If-Match", "refuse with 412 unless this is the ETag of the thing that the path begins with", openapi3.NewStringSchema())
	add("If-None-Match", "answer 304 without a body if this is still the ETag", openapi3.NewStringSchema())
	return out
}

// takeHeaders adds to an operation the request headers that it takes.
func (op operation) takeHeaders() {
	all := parameters()
	take := func(name string) {
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Ref: parameterRef + name, Value: all[name].Value})
	}
	switch {
	case op.method == http.MethodGet && op.streamed():
	case op.method == http.MethodGet:
		take("If-None-Match")
	case op.tagged:
		take("If-Match")
		op.Responses.Set("412", problemRef(http.StatusPreconditionFailed))
	}
	if op.method == http.MethodPost {
		take("Idempotency-Key")
	}
}

// problems returns the answers from 400 on, by the words of their status; Error is any that an operation does not name.
func problems() openapi3.ResponseBodies {
	out := openapi3.ResponseBodies{}
	for _, status := range []int{0, 400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503} {
		description := http.StatusText(status)
		names := []string{"X-Request-Id"}
		switch status {
		case 0:
			description = "any other error: 400 bad query or body, 401 a token that is not live, 403 a disabled account, 500 a fault of ours, 503 not ready"
			names = append(names, "RateLimit", "RateLimit-Policy")
		case http.StatusUnauthorized:
			names = append(names, "WWW-Authenticate")
		case http.StatusConflict: // the first request with the same Idempotency-Key is under way
			names = append(names, "Retry-After")
		case http.StatusTooManyRequests:
			names = append(names, "RateLimit", "RateLimit-Policy", "Retry-After")
		}
		problem := openapi3.NewSchemaRef(schemaRef+"Problem", nil)
		answer := openapi3.NewResponse().WithDescription(description).
			WithContent(openapi3.Content{httpx.ProblemType: openapi3.NewMediaType().WithSchemaRef(problem)})
		answer.Headers = headerRefs(names...)
		out[problemName(status)] = &openapi3.ResponseRef{Value: answer}
	}
	return out
}

func problemName(status int) string {
	if status == 0 {
		return "Error"
	}
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

// problemRef refers to the answer with a status from 400 on; 0 is any.
func problemRef(status int) *openapi3.ResponseRef {
	name := problemName(status)
	answer, ok := problems()[name]
	if !ok {
		panic(fmt.Sprintf("openapi: an operation answers with %d, which problems does not list", status))
	}
	return &openapi3.ResponseRef{Ref: responseRef + name, Value: answer.Value}
}
