// Package process puts a server process together: the database, the way out to the bots, the API, the workers and their metrics. The
// commands of package platform run it, and the demo.
package process
