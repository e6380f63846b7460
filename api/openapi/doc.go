// Package openapi makes the API's document from the annotations in package api. It is for
// generating and testing only: its output is kept in docs, and nothing that ships imports it.
package openapi
