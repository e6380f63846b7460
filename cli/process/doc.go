// Package process puts a server process together: the database, the connection to the bots, the API, the workers and their
// metrics. The commands of package platform run it, and so does the demo.
package process
