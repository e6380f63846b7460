// Package live lets people watch matches: what is sealed and for how long, views and events replayed from the record and
// cached, and streams that many readers follow at once. Package api decides who may ask for what, package web how it looks.
package live
