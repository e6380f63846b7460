// Package calibration judges forecasts: how many of the matches that were given a chance were won, on matches that nobody had
// seen when the chance was given. It computes from values: it knows neither a database nor the clock.
package calibration
