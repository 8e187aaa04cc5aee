package main

import (
	"fmt"
	"sort"
	"strings"
)

type Dir byte

const (
	N Dir = 'n'
	S Dir = 's'
)

type Room struct {
	name  string
	exits map[Dir]*Room
	items map[string]int
}
type Player struct {
	at  *Room
	bag []string
	hp  int
}
type Cmd func(p *Player, args ...string) (string, error)
type CmdErr struct{ cmd string }

func (e CmdErr) Error() string { return "unknown: " + e.cmd }

type Game struct {
	Player
	cmds map[string]Cmd
	log  strings.Builder
}

func NewGame() *Game {
	a, b := &Room{name: "hall", items: map[string]int{"key": 1}}, &Room{name: "yard"}
	a.exits = map[Dir]*Room{N: b}
	b.exits = map[Dir]*Room{S: a}
	g := &Game{Player: Player{at: a, hp: 3}}
	g.cmds = map[string]Cmd{
		"go": func(p *Player, args ...string) (string, error) {
			if r, ok := p.at.exits[Dir(args[0][0])]; ok {
				p.at = r
				return r.name, nil
			}
			p.hp--
			return "", fmt.Errorf("no way %s (hp %d)", args[0], p.hp)
		},
		"take": func(p *Player, args ...string) (string, error) {
			if p.at.items[args[0]] == 0 {
				return "nothing", nil
			}
			p.at.items[args[0]]--
			p.bag = append(p.bag, args...)
			return strings.Join(p.bag, ","), nil
		},
	}
	return g
}
func (g *Game) Do(line string) error {
	f := strings.Fields(line)
	c, ok := g.cmds[f[0]]
	if !ok {
		return CmdErr{f[0]}
	}
	out, err := c(&g.Player, f[1:]...)
	if err == nil {
		fmt.Fprintf(&g.log, "%s>%s;", line, out)
	}
	return err
}
func main() {
	g := NewGame()
	for _, l := range []string{"take key", "go n", "go n", "fly", "go s", "take key"} {
		if err := g.Do(l); err != nil {
			var ce CmdErr
			c, ok := err.(CmdErr)
			ce = c
			fmt.Println("err:", err, ok, ce.cmd)
		}
	}
	fmt.Println(g.log.String(), g.hp, g.bag, g.at.name, g.Player.at == g.at)
	var names []string
	for n := range g.cmds {
		names = append(names, n)
	}
	sort.Strings(names)
	fmt.Println(names, N, string(S))
}

// Output:
// err: no way n (hp 2) false
// err: unknown: fly true fly
// take key>key;go n>yard;go s>hall;take key>nothing; 2 [key] hall true
// [go take] 110 s
