// Package door stands between the network and the API. It limits how many connections and streams each caller may have open,
// refuses ambiguous requests, and finds out for whom a trusted proxy asks. It knows neither routes nor users: callers are keys.
package door
