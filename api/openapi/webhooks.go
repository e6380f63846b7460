package openapi

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/molerun/molerun/api/httpx"
)

// message is what a webhook is sent for one type of event, beside the type and the time.
type message struct {
	kind    string
	summary string
	always  []string // keys of data that are always there
	perhaps []string // keys that are there where the event has them
}

// messages returns the messages of all events that webhooks receive, and of the challenge. A test holds them against what is sent.
func messages() []message {
	match := []string{"bots", "game", "match_id"}
	ofTournament := []string{"bots", "game", "tournament_id"}
	bot := []string{"bots", "bot_id", "version_id"}
	entry := []string{"bots", "game", "tournament_id", "bot_id"}
	of := []string{"tournament_id", "ladder", "round", "block", "number"}
	ended := append([]string{"result"}, of...)
	why := []string{"ladder", "reason"}
	return []message{
		{kind: "webhook.challenge", summary: "A new address must echo the challenge", always: []string{"challenge"}},
		{kind: "match.finished", summary: "A match is over", always: match, perhaps: ended},
		{kind: "match.void", summary: "A match does not count", always: match, perhaps: of},
		{kind: "match.given_up", summary: "A match is void once more, and not played again", always: slices.Concat(match, []string{"reason"}), perhaps: of},
		{kind: "tournament.changed", summary: "A tournament that has not begun is another now", always: slices.Concat(ofTournament, []string{"reason"}), perhaps: []string{"ladder"}},
		{kind: "tournament.check_in", summary: "The check-in of a tournament is open", always: ofTournament, perhaps: why},
		{kind: "tournament.started", summary: "A tournament has started", always: ofTournament, perhaps: why},
		{kind: "tournament.finished", summary: "A tournament is over", always: ofTournament, perhaps: why},
		{kind: "tournament.cancelled", summary: "A tournament is cancelled", always: ofTournament, perhaps: why},
		{kind: "entry.admitted", summary: "A bot that waited has a place", always: entry},
		{kind: "entry.left_out", summary: "The start left a bot out", always: slices.Concat(entry, []string{"reason"})},
		{kind: "entry.substituted", summary: "A bot has taken the place of another", always: slices.Concat(entry, []string{"reason"})},
		{kind: "entry.withdrawn", summary: "An organiser has withdrawn a bot", always: entry},
		{kind: "bot.paused", summary: "A bot gets no new matches", always: bot, perhaps: []string{"reason"}},
		{kind: "bot.resumed", summary: "A bot gets matches again", always: bot, perhaps: []string{"reason"}},
		{kind: "version.redeployed", summary: "A bot answered as another build in a match", always: slices.Concat(bot, []string{"game", "match_id", "reason"})},
		{kind: "account.linked", summary: "A login enters your account from now on", always: []string{"bots", "reason"}},
	}
}

// dataKey returns a key of a message's data.
func dataKey(name string) *openapi3.Schema {
	schema := openapi3.NewStringSchema()
	switch name {
	case "bots":
		schema = openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema())
		schema.Description = "the receiver's bots that it is about, by id"
	case "result":
		seat := openapi3.NewObjectSchema().WithProperty("seat", openapi3.NewIntegerSchema()).WithProperty("bot_id", openapi3.NewStringSchema()).
			WithProperty("rank", openapi3.NewIntegerSchema()).WithProperty("verdict", openapi3.NewStringSchema().WithEnum("win", "draw", "loss"))
		schema = openapi3.NewArraySchema().WithItems(seat)
		schema.Description = "by seat; left out while it is sealed, until the last match on the same seed is over"
	case "round", "block", "number":
		schema = openapi3.NewIntegerSchema()
	case "ladder":
		schema.Description = "id of the ladder"
	case "challenge":
		schema.Description = "echo it as the answer's challenge"
	}
	return schema
}

// webhooks returns the requests that the platform sends, by the type of their message.
func webhooks() map[string]*openapi3.PathItem {
	out := map[string]*openapi3.PathItem{}
	for _, m := range messages() {
		out[m.kind] = &openapi3.PathItem{Post: m.operation()}
	}
	return out
}

// signed returns the headers of every message. They are no shared parameters: oapi-codegen drops those that only webhooks have.
func signed() openapi3.Parameters {
	var out openapi3.Parameters
	add := func(name, description string) {
		p := openapi3.NewHeaderParameter(name).WithDescription(description).WithRequired(true).WithSchema(openapi3.NewStringSchema())
		out = append(out, &openapi3.ParameterRef{Value: p})
	}
	add("webhook-id", "names the message, the same every time it is sent")
	add("webhook-timestamp", "when it was sent, in seconds since 1970")
	add("webhook-signature", "HMAC-SHA256 of ID.TIMESTAMP.BODY with each live secret, as Standard Webhooks has it: v1,BASE64, separated by spaces")
	return out
}

func (m message) operation() *openapi3.Operation {
	op := openapi3.NewOperation()
	op.OperationID = "on" + camel(m.kind)
	op.Summary = m.summary
	op.Tags = []string{"webhooks"}
	op.Security = openapi3.NewSecurityRequirements()
	op.Parameters = signed()
	body := openapi3.NewRequestBody().WithRequired(true).WithContent(content(m.schema()))
	op.RequestBody = &openapi3.RequestBodyRef{Value: body}
	op.Responses = openapi3.NewResponses(
		openapi3.WithStatus(410, &openapi3.ResponseRef{Value: openapi3.NewResponse().WithDescription("disables the webhook")}),
		openapi3.WithName("default", openapi3.NewResponse().WithDescription("not taken: it is sent again, eight times in about nineteen hours")),
	)
	taken := openapi3.NewResponse().WithDescription("taken")
	if m.kind == "webhook.challenge" {
		echo := openapi3.NewObjectSchema().WithProperty("challenge", openapi3.NewStringSchema()).WithRequired([]string{"challenge"})
		taken = openapi3.NewResponse().WithDescription("wanted").WithContent(content(echo))
	}
	op.Responses.Set("2XX", &openapi3.ResponseRef{Value: taken})
	return op
}

// schema returns the schema of the message's body.
func (m message) schema() *openapi3.Schema {
	data := openapi3.NewObjectSchema().WithRequired(m.always)
	for _, key := range slices.Concat(m.always, m.perhaps) {
		data.WithProperty(key, dataKey(key))
	}
	return openapi3.NewObjectSchema().
		WithProperty("type", openapi3.NewStringSchema().WithEnum(m.kind)).
		WithProperty("timestamp", openapi3.NewDateTimeSchema()).
		WithProperty("data", data).
		WithRequired([]string{"type", "timestamp", "data"})
}

func content(schema *openapi3.Schema) openapi3.Content {
	return openapi3.Content{httpx.JSONType: openapi3.NewMediaType().WithSchema(schema)}
}

// camel writes match.given_up as MatchGivenUp.
func camel(kind string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(kind, func(r rune) bool { return r == '.' || r == '_' }) {
		out.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return out.String()
}
