// Package series says how the tournaments of a series count together: which results, for how many points, and who is ahead. It
// is pure: no database, HTTP or pairing may live here.
package series
