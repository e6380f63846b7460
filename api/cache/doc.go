// Package cache keeps the results that were used last, up to a number of bytes in all. Its users say what the entries are and whether
// they are still true.
package cache
