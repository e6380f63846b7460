// Package clitest runs molerun as tests run it: a binary built once, processes that end with their test, addresses of this
// machine. It is for tests alone: nothing that ships may import it, and nothing here knows the API.
package clitest
