// Package gate is what every request passes before its handler, and after: who asks, whether they may, whether it is not too
// much, whether it was carried out before and whether what it changes is as its caller saw it; then the log, the metrics and
// the problem that an error becomes. What a request asks for must not live here.
package gate
