// Package api is what is served over HTTP, the REST API, its streams and the pages: it decodes requests strictly, asks the
// store or a rule, and answers with DTOs, problems or what package pages draws. The rules of games, matches and tournaments,
// and all SQL, must not live here.
package api

//go:generate go test . -run TestTheDocumentIsGeneratedFromTheAnnotations -update
