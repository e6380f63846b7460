// Package docs holds the guides, the rules of the games and the generated OpenAPI document, and embeds what is served. Any
// other code must not live here.
package docs

//go:generate go test . -run TestTheRulesShowATurnOfEachPhase -update
