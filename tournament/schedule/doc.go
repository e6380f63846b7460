// Package schedule says when the tournaments of a series are made and when they start: one-off instants and cron lines in a
// zone, with registration windows, missed starts and the rules of pausing. It is pure: the clock is a parameter. No database,
// HTTP or pairing may live here.
package schedule
