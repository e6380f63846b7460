// Package claim holds what bots say of themselves beside a decision: what it used ([Usage]), and what they believe of that which they
// cannot see ([Belief]). None of it changes a match. Beliefs are scored against the truth; usage cannot be checked.
package claim
