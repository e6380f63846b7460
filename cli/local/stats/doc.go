// Package stats plays matches of house bots in process, counts who wins, how matches end and how long they are, and writes a
// Markdown page. It reads no clock, file or environment: the same options give the same page on any machine.
package stats
