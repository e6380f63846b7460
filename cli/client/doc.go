// Package client calls the API of a platform as any program would.
package client
