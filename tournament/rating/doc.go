// Package rating turns results of matches into points and Elo ratings, as pure functions of their arguments. Clocks,
// storage, the order in which results arrive and the choice of opponents must not live here.
package rating
