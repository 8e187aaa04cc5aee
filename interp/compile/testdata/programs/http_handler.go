package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
)

type API struct {
	items map[string]int
	log   *strings.Builder
}

func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(a.log, "%s %s;", r.Method, r.URL.Path)
	switch r.Method {
	case http.MethodGet:
		json.NewEncoder(w).Encode(a.items)
	case http.MethodPost:
		b, _ := io.ReadAll(r.Body)
		a.items[string(b)]++
		w.WriteHeader(http.StatusCreated)
	default:
		http.Error(w, "no", http.StatusMethodNotAllowed)
	}
}
func logging(next http.Handler, out *[]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*out = append(*out, r.URL.RawQuery)
		next.ServeHTTP(w, r)
	})
}
func main() {
	a := &API{map[string]int{}, &strings.Builder{}}
	var qs []string
	h := logging(a, &qs)
	do := func(method, path, body string) *httptest.ResponseRecorder {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, httptest.NewRequest(method, path, strings.NewReader(body)))
		return rec
	}
	fmt.Println(do("POST", "/x?a=1", "k").Code, do("DELETE", "/x", "").Code)
	fmt.Print(do("GET", "/x", "").Body.String())
	fmt.Println(a.log.String(), qs)
	mux := http.NewServeMux()
	mux.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hi "+r.FormValue("n")) })
	mux.Handle("/api/", a)
	rec := httptest.NewRecorder()
	mux.ServeHTTP(rec, httptest.NewRequest("GET", "/hello?n=bob", nil))
	fmt.Println(rec.Body)
	u, err := url.Parse("https://u:p@h.com:8/p?q=1&q=2#f")
	fmt.Println(u.Host, u.Query()["q"], u.Fragment, err)
	v := url.Values{"b": {"2"}}
	v.Add("a", "x y")
	fmt.Println(v.Encode())
}

// Output:
// 201 405
// {"k":1}
// POST /x;DELETE /x;GET /x; [a=1  ]
// hi bob
// h.com:8 [1 2] f <nil>
// a=x+y&b=2
