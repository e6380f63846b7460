// Package must ends a test at an error that is not what it tests, and looks for texts in a page. It is for tests only: nothing that ships may import it.
package must
