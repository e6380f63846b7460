package wire

import "github.com/molerun/molerun/api/op"

// The operations on who organises what.
var (
	// @Summary	Who organises a tournament
	GetTournamentOrganisers = op.Get[op.One, Organisers]("/v1/tournaments/{id}/organisers", "")

	// @Summary	Name the co-organisers of a tournament
	// @Description	By its organiser: other organisers, by name, who may do all that the organiser may but this. They take the place of those
	// @Description	before; an empty list takes all back.
	SetTournamentOrganisers = op.Put[op.WithID[CoOrganisers], Organisers]("/v1/tournaments/{id}/organisers", "organise")

	// @Summary	Who organises a schedule
	GetScheduleOrganisers = op.Get[op.One, Organisers]("/v1/schedules/{id}/organisers", "")

	// @Summary	Name the co-organisers of a schedule
	// @Description	By its organiser: other organisers, by name, who may do with it and with its tournaments all that the organiser may but this
	// @Description	and delete it. They take the place of those before; an empty list takes all back.
	SetScheduleOrganisers = op.Put[op.WithID[CoOrganisers], Organisers]("/v1/schedules/{id}/organisers", "organise")

	// @Summary	Who organises a series
	GetSeriesOrganisers = op.Get[op.One, Organisers]("/v1/series/{id}/organisers", "")

	// @Summary	Name the co-organisers of a series
	// @Description	By its organiser: other organisers, by name, who may do with it all that the organiser may but this and delete it. They take
	// @Description	the place of those before; an empty list takes all back.
	SetSeriesOrganisers = op.Put[op.WithID[CoOrganisers], Organisers]("/v1/series/{id}/organisers", "organise")
)

// Organisers are who organises something.
type Organisers struct {
	Organiser    string   `json:"organiser" example:"ada"` // the name of who made it
	CoOrganisers []string `json:"co_organisers"`           // names
} // @name Organisers

// CoOrganisers names those who organise something together with its organiser.
type CoOrganisers struct {
	CoOrganisers []string `json:"co_organisers"` // names of organisers, at most 20
} // @name CoOrganisers
