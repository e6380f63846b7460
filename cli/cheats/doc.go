// Package cheats judges attempts to gain by cheating. A cheat is tried against a running platform with an honest twin beside
// it in the same conditions; its gain is what it had more than its twin, with an interval. This package says what a cheat is,
// judges its trials, and makes the table of results. The cheats themselves, and the processes that they are tried against,
// are in the tests. Nothing here may know the product.
package cheats
