// Package op describes the operations of an HTTP API as values: a method, a path, the scope that a token needs, and the types of
// the request and of the answer. The server binds a function to each value; routes, authorisation, decoding, the OpenAPI
// document and the calls of clients follow from it.
//
// A request type says where each field travels by the tags that gin knows: uri for the path, form for the query, header for a
// header; whatever else it holds is the body. enums, minimum, maximum, default and format bound a value of the query, as swag
// reads them for the document; a value that is given and empty is refused but for fields with an empty tag.
//
// It imports the standard library alone: neither gin nor the domain may come in here, since clients use it too.
package op
