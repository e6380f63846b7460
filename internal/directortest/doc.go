// Package directortest gives tests a director, and a platform whose users, bots and matches take one line each. It is for
// tests only: nothing that ships may import it.
package directortest
