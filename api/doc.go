// Package api serves everything over HTTP: the REST API, its streams and the pages. It decodes requests strictly, asks the
// store or a rule, and answers with DTOs, problems or what package pages draws. The rules of games, matches and tournaments,
// and all SQL, must not live here.
package api

//go:generate go test . -run TestTheDocumentIsGenerated -update
