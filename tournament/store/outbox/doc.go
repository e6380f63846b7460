// Package outbox keeps the events. An event is written in the transaction that it reports, read as a stream numbered without
// gaps, and delivered to webhooks. What happens on the platform must not be decided here.
package outbox
