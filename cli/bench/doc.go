// Package bench measures what we promise about speed, each figure beside its anchor in the same run, and gives ratios: the
// machine may be slow or busy, the ratio stays. Nothing of the product depends on it.
package bench
