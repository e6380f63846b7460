// Package door is what lies between the network and the API: how many connections and streams a caller may have open beside
// the others, and which requests are too ambiguous to be read. It knows neither routes nor users: callers are keys.
package door
