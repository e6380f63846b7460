// Package openapi makes the API's document, and its page for people, out of the annotations in package api. It serves generating and
// testing alone: what it makes is kept in docs, and nothing that ships imports it.
package openapi
