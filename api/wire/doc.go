// Package wire is what goes over the API as Go types: requests, answers, problems and pages, with the keys, examples and
// bounds that the OpenAPI document shows. Programs that call the API and tests use it as the server does. How a thing of the
// domain becomes one of these, and anything of HTTP, must not live here.
package wire
