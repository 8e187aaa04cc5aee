package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/gob"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
)

type Rec struct {
	Name   string `xml:"name,attr"`
	Vals   []int  `xml:"v"`
	hidden int
}
type Header struct {
	Magic uint32
	Ver   uint16
	Flags [2]uint8
}

func main() {
	s := base64.StdEncoding.EncodeToString([]byte("hello"))
	d, _ := base64.StdEncoding.DecodeString(s)
	fmt.Println(s, string(d), hex.EncodeToString([]byte{1, 255}))
	fmt.Printf("%x\n", sha256.Sum256([]byte("a")))
	x, err := xml.Marshal(Rec{"n", []int{1, 2}, 3})
	fmt.Println(string(x), err)
	var r Rec
	fmt.Println(xml.Unmarshal([]byte(`<Rec name="q"><v>5</v></Rec>`), &r), r)
	var buf bytes.Buffer
	fmt.Println(binary.Write(&buf, binary.BigEndian, Header{0xCAFE, 2, [2]uint8{7, 8}}), buf.Bytes())
	var h Header
	fmt.Println(binary.Read(&buf, binary.BigEndian, &h), h)
	var net bytes.Buffer
	fmt.Println(gob.NewEncoder(&net).Encode(map[string]Rec{"a": {"x", []int{9}, 1}}))
	var back map[string]Rec
	fmt.Println(gob.NewDecoder(&net).Decode(&back), back)
	w := csv.NewWriter(os.Stdout)
	w.Write([]string{"a", "b,c"})
	w.Flush()
	rows, _ := csv.NewReader(strings.NewReader("1,2\n3,4")).ReadAll()
	fmt.Println(rows, len(rows))
	f := fnv.New32a()
	f.Write([]byte("x"))
	fmt.Println(f.Sum32())
}

// Output:
// aGVsbG8= hello 01ff
// ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb
// <Rec name="n"><v>1</v><v>2</v></Rec> <nil>
// <nil> {q [5] 0}
// <nil> [0 0 202 254 0 2 7 8]
// <nil> {51966 2 [7 8]}
// <nil>
// <nil> map[a:{x [9] 0}]
// a,"b,c"
// [[1 2] [3 4]] 2
// 4245442695
