// Package httpx is what any HTTP API needs: strict bodies and queries, problems, pages with cursors, sheets, ETags, idempotency keys
// and rates. It knows no user, bot or match: what a request may do, and all storage, must not live here.
package httpx
