// Package matching finds a maximum-weight matching in a general graph, with weights that rank several wishes. It knows
// nothing of tournaments.
package matching
