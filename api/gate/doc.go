// Package gate handles what is common to every request, before and after its handler: authentication, permission, limits,
// idempotency keys and If-Match; then the log, the metrics, and the problem that an error becomes. What a single request asks
// for must not live here.
package gate
