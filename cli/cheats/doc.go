// Package cheats judges attempts to gain by cheating. A cheat is tried against a running platform with an honest twin beside it
// in the same conditions; what it had more than its twin is its gain, told with an interval. Here stand what a cheat is, how
// its trials are judged, and the table that is made of them. The cheats themselves, and the processes that they are
// tried against, stand in the tests. Nothing here may know the product.
package cheats
