// Package organiser has the commands of those who run tournaments: tournament, schedule, series, ladder, class. All of it goes over the API, as
// the user who is logged in; what a value may be is the platform's to say, and no database is opened here.
package organiser
