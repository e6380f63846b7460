// Package report is the review of a match as a value: what package review makes of a record, platforms keep, and the API shows. How a review
// is made must not live here.
package report
