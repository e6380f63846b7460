package wire

// Problem is the body of every error (RFC 9457).
type Problem struct {
	Type      string  `json:"type" example:"/docs#not_found"`                              // where the code is explained
	Title     string  `json:"title" example:"Not found"`                                   // the same for every problem of this code
	Status    int     `json:"status" example:"404"`                                        // the HTTP status
	Detail    string  `json:"detail" example:"there is no such thing, or it is not yours"` // what is wrong here, and what to do next
	Instance  string  `json:"instance" example:"/v1/bots/x"`                               // the requested path
	Code      string  `json:"code" example:"not_found"`                                    // stable; programs may rely on it
	RequestID string  `json:"request_id" example:"6f1c9a52b0e84d1f"`                       // quote it when you report the problem
	Errors    []Place `json:"errors,omitempty"`                                            // every place that was refused
} // @name Problem

// Place is one refused place: a JSON Pointer into the body, or ?name for a query parameter.
type Place struct {
	Pointer string `json:"pointer" example:"/name"`
	Detail  string `json:"detail" example:"is empty"`
} // @name Place
