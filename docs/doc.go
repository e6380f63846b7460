// Package docs holds the guides, the rules of the games and the generated OpenAPI document, and embeds what is served;
// code that does anything else must not live here.
package docs
