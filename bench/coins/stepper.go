package main

import (
	"errors"
	"math"

	"github.com/ByteArena/box2d"
)

// stepper plays shots in steps of dt with Box2D. Its world is built once and its discs are put back for each shot: a
// kindness, since a service would build one for each.
type stepper struct {
	world box2d.B2World
	discs [discs]*box2d.B2Body
	dt    float64 // s
}

// The iterations of a step that Box2D's manual advises, and the most steps of a shot: a second and a half of motion is the
// longest that the friction leaves.
const (
	velocityIterations = 8
	positionIterations = 3
	longest            = 3.0 // s
)

var errNoRest = errors.New("the stepper's discs do not come to rest")

func newStepper(dt float64) *stepper {
	s := &stepper{world: box2d.MakeB2World(box2d.MakeB2Vec2(0, 0)), dt: dt}
	table := s.world.CreateBody(new(box2d.MakeB2BodyDef()))
	for i, from := range corners {
		to := corners[(i+1)%len(corners)]
		edge := box2d.MakeB2EdgeShape()
		edge.Set(box2d.MakeB2Vec2(from.X/mm, from.Y/mm), box2d.MakeB2Vec2(to.X/mm, to.Y/mm))
		s.fix(table, &edge)
	}
	for i := range s.discs {
		def := box2d.MakeB2BodyDef()
		def.Type, def.FixedRotation, def.AllowSleep = box2d.B2BodyType.B2_dynamicBody, true, false
		def.Position = box2d.MakeB2Vec2(1+float64(i), 1)
		s.discs[i] = s.world.CreateBody(&def)
		round := box2d.MakeB2CircleShape()
		round.M_radius = radius
		s.fix(s.discs[i], &round)
	}
	return s
}

// fix gives a body its shape. A definition's filter is all zero, which collides with nothing: it must be made too.
func (s *stepper) fix(body *box2d.B2Body, shape box2d.B2ShapeInterface) {
	def := box2d.MakeB2FixtureDef()
	def.Shape, def.Density, def.Friction, def.Restitution = shape, 1, 0, bounce
	def.Filter = box2d.MakeB2Filter()
	body.CreateFixtureFromDef(&def)
}

func (s *stepper) play(x shot) ([discs]vec, error) {
	var rest [discs]vec
	for i, at := range x.at {
		s.discs[i].SetTransform(box2d.MakeB2Vec2(at.X, at.Y), 0)
		s.discs[i].SetLinearVelocity(box2d.MakeB2Vec2(0, 0))
	}
	sin, cos := math.Sincos(x.angle())
	s.discs[0].SetLinearVelocity(box2d.MakeB2Vec2(x.speed*cos, x.speed*sin))
	for range int(longest / s.dt) {
		if !s.brake() {
			for i, d := range s.discs {
				rest[i] = vec{X: d.GetPosition().X, Y: d.GetPosition().Y}
			}
			return rest, nil
		}
		s.world.Step(s.dt, velocityIterations, positionIterations)
	}
	return rest, errNoRest
}

// brake takes a step's friction off every speed and reports whether anything still moves.
func (s *stepper) brake() bool {
	moving := false
	for _, d := range s.discs {
		v := d.GetLinearVelocity()
		speed := math.Hypot(v.X, v.Y)
		if speed == 0 {
			continue
		}
		left := max(0, speed-decel*s.dt) / speed
		d.SetLinearVelocity(box2d.MakeB2Vec2(v.X*left, v.Y*left))
		moving = moving || left > 0
	}
	return moving
}
