// Package logins keeps logins under way, links that log a browser in once, and the sessions that they become, each by the hash of
// its secret. It asks no issuer and makes no user.
package logins
