// Package review says which decisions cost a match, and what chance gave and took. It judges each decision by what its seat knew,
// never by what was hidden from it. It reads records and plays tables in memory; it knows no platform.
package review
