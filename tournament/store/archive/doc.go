// Package archive writes all data of a platform into one file, and fills an empty database with them. What the data mean must
// not live here, but for the hashes of records.
package archive
