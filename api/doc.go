// Package api is the REST API: it decodes requests strictly, asks the store or a rule, and answers with DTOs and problems.
// The rules of games, matches and tournaments, and all SQL, must not live here.
package api

//go:generate go test . -run TestTheDocumentIsGeneratedFromTheAnnotations -update
