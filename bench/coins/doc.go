// Command coins (make bench-coins) measures the solver of package coins against a stepper of the kind of Box2D in the same scene.
//
// The scene: four discs of radius 0.2 and equal mass on a walled table of 10 × 10, restitution 0.9 everywhere, no spin, dry
// friction that takes 20 off the speed in a second. Discs are placed at random; disc 0 is flicked at 5 to 30 towards disc 1,
// give or take its width, and a shot ends when all are at rest. One unit is a metre; the solver counts in millimetres.
package main
