// Package faults has a campaign of faults for its tests: a plan of them, links that break connections, processes that are struck,
// and a judge who looks from outside at what the platform made of it. Nothing that ships is here.
package faults
