// Package connlimit bounds how many connections and long requests each caller may have open. It knows neither routes nor users:
// callers are keys.
package connlimit
