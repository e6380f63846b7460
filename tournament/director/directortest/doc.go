// Package directortest gives tests a director, and a platform with users, bots and matches in one line each. It is for tests
// alone: nothing that ships may import it.
package directortest
