// Package designs decides who shares a table with whom so that all meet equally often: Berger tables, affine planes, cyclic
// difference families, and a search where no design is stored. Entries are numbers; only the caller knows what they stand
// for.
package designs
