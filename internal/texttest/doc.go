// Package texttest makes hostile text from a given seed: code points of all planes, JSON strings with every kind of escape,
// and bytes that are not JSON. It is for tests only: nothing that ships may import it.
package texttest
