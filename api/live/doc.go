// Package live is matches as they are watched: what of them is sealed and for how long, their views and events played again
// from the record and kept for a while, and streams that many readers follow at once. Who may ask for what is package api's to
// say, and how it looks package web's.
package live
