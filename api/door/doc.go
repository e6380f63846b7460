// Package door stands between the network and the API. It limits how many connections and streams each caller may have open,
// and refuses ambiguous requests. It knows neither routes nor users: callers are keys.
package door
