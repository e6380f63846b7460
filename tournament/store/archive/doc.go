// Package archive writes all data of a platform into one file, and fills an empty database from it. What the data mean must
// not live here, except for the hashes of records.
package archive
