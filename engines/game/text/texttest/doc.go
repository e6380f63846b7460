// Package texttest makes hostile text from a stated seed: code points of all planes, JSON strings with every kind of escape, and
// bytes that are no JSON. It is for tests alone: nothing that ships may import it.
package texttest
