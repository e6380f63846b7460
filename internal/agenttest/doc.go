// Package agenttest is a scripted client of the tools of bots/agent, for tests: it reads looks and plays by a fixed policy.
package agenttest
