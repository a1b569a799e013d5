package main

import (
	"encoding/json"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

type user struct {
	ID    int    `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

type input struct {
	Email *string `json:"email"`
	Name  *string `json:"name"`
}

var (
	key     = os.Getenv("API_KEY")
	mistake = os.Getenv("MISTAKE")
	mutex   sync.Mutex
	users   []user
)

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func guard(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Get("Authorization")
		right := header == "Bearer "+key
		if mistake == "TrimPrefix" {
			right = strings.TrimPrefix(header, "Bearer ") == key
		}
		if !right {
			http.Error(w, "unauthorized", http.StatusUnauthorized)
			return
		}
		next(w, r)
	}
}

func collection(w http.ResponseWriter, r *http.Request) {
	mutex.Lock()
	defer mutex.Unlock()
	if r.Method == http.MethodGet {
		data := append([]user{}, users...)
		if mistake == "a nil slice" && len(users) == 0 {
			data = nil
		}
		answer(w, http.StatusOK, map[string]any{"data": data, "total": len(users)})
		return
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var in input
	err := json.NewDecoder(r.Body).Decode(&in)
	if err != nil || (mistake != "zero values" && (in.Email == nil || in.Name == nil)) {
		answer(w, http.StatusBadRequest, map[string]string{"error": "invalid"})
		return
	}
	one := user{ID: len(users) + 1}
	if in.Email != nil {
		one.Email = *in.Email
	}
	if in.Name != nil {
		one.Name = *in.Name
	}
	users = append(users, one)
	w.Header().Set("Location", "/v1/users/"+strconv.Itoa(one.ID))
	answer(w, http.StatusCreated, one)
}

func single(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/v1/users/"))
	mutex.Lock()
	defer mutex.Unlock()
	if err != nil || id < 1 || id > len(users) {
		http.NotFound(w, r)
		return
	}
	answer(w, http.StatusOK, users[id-1])
}

func main() {
	http.HandleFunc("/v1/users", guard(collection))
	http.HandleFunc("/v1/users/", guard(single))
	http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
}
