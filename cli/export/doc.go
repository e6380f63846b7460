// Package export holds the commands that save what a platform has: its matches as lines, the records of a bot as an archive. What the
// platform keeps of a user is no part of it, nor is a backup.
package export
