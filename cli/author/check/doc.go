// Package check asks a bot everything that the platform might ask it, and says what is wrong and what to do next. It knows no
// command line and prints nothing.
package check
