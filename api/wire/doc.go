// Package wire holds the API's requests, answers, problems and pages as Go types, with the keys, examples and limits that the
// OpenAPI document shows. The server, tests and programs that call the API share it. Conversion from domain types, and
// anything about HTTP, must not live here.
package wire
