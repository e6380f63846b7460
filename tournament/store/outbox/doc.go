// Package outbox keeps the events: what a transaction tells of is written with it, is read as a stream of numbers without a
// gap, and is delivered to webhooks. What happens on the platform must not be decided here.
package outbox
