// Package replay reads, writes and verifies match records in the format replay/1: JSON Lines in a hash chain, gzipped on
// disk. Where records are kept and who may read them is decided elsewhere.
package replay
