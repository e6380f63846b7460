// Package broadcast says when a match of a tournament is shown to people who watch the event together: after its round is over, one match
// after another, in the time that it takes to follow one. It is pure: no database or HTTP may live here.
//
// The showing hides nothing: whoever opens the match itself sees all of it at once. It gives everybody the same step at the same time.
package broadcast
