// Package console is the rules console: one game as JSON lines, one request and one reply a line, so that any language can
// use the exact rules as its simulator. Flags, files and the choice of the game must not live here.
//
//	{"op":"info"}                                     → {"ok":true,"info":{…}}
//	{"op":"deal","seats":5,"seed":"<64 hex>","config":{…}}   → {"ok":true,"step":0,"due":[2],"events":[…],"result":null}
//	{"op":"view","seat":0}      (-1: spectator)       → {"ok":true,"view":{…}}
//	{"op":"offer","seat":0}     ([] if not due)       → {"ok":true,"offer":{"list":[…]}}
//	{"op":"check","seat":0,"action":{…}}              → {"ok":true}
//	{"op":"apply","turns":[{"seat":0,"action":{…},"say":"…"}]}  → as deal
//	{"op":"house","seat":0}                           → {"ok":true,"action":{…}}
//	{"op":"hash"}                                     → {"ok":true,"hash":"<64 hex>"}
//	{"op":"snapshot"}                                 → {"ok":true,"snapshot":"<base64>"}
//	{"op":"restore","snapshot":"…"}                   → as deal, without events
//	{"op":"resample","seat":0,"seed":"…"}             → as deal, without events
//	{"op":"guess","seat":0,"view":{…},"config":{…},"seats":5,"seed":"…"}  → as deal, without events
//	{"op":"reveal"}                                   → {"ok":true,"state":{…}}
//	{"op":"draw","seat":0}                            → {"ok":true,"svg":"…"}
//	{"op":"describe","seat":0}                        → {"ok":true,"text":"…"}
//	{"op":"shape","seats":5,"config":{…}}             → {"ok":true,"actions":25,"bytes":1,"features":[…]}
//	{"op":"numbers","seat":0}   ([] if not due)       → {"ok":true,"numbers":[…],"actions":[…]}
//	{"op":"observe","seat":0}                         → {"ok":true,"observation":[…]}
//
// deal, restore, resample and guess replace the table. config may be left out, and any of its keys: the defaults hold.
// seats may be left out by games of one table size. Whatever is wrong gives {"ok":false,"error":{"code":"…","detail":"…"}},
// changes nothing, and the console goes on. Codes: bad_json, bad_request, unknown_op, no_table, internal (our bug; the table
// is gone) and those of package game.
//
// [ServeTables] plays many matches by numbers in the same way; docs/5-replays.md has its operations.
package console
