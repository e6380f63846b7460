// Package organiser has the commands of those who run tournaments: tournament, schedule, ladder. All of it goes over the API, as
// who is logged in; what a value may be is the platform's to say, and no database is opened here.
package organiser
