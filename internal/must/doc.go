// Package must ends a test at an error that is not what it tests. It is for tests only: nothing that ships may import it.
package must
