// Package issuertest is an issuer of OpenID Connect for tests: strict about what a client sends, and wrong in what it answers when
// a test wants it so. Nothing that ships may import it.
package issuertest
