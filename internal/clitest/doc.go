// Package clitest runs molerun for tests: a binary built once, processes that end with their test, addresses on this machine.
// Nothing that ships may import it, and nothing here knows the API.
package clitest
