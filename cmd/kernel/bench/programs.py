"""Programs in Go and in Python, timed by the cell that runs them: goanvil and ipykernel in turn."""

from kernels import Kernel

# The name, the program in Go and in Python, which declares a function run without parameters, and the bound
# of the ratio.
PROGRAMS = [
    (
        "fib(30)",
        """func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}
func run() { fib(30) }""",
        """def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
def run():
    fib(30)""",
        2,
    ),
    (
        "loop of 1e7",
        """func run() (sum int) {
	for i := 0; i < 10_000_000; i++ {
		sum += i % 7
	}
	return sum
}""",
        """def run():
    sum = 0
    for i in range(10_000_000):
        sum += i % 7
    return sum""",
        0.5,
    ),
    (
        "sort.Slice of 1e6",
        """import ("math/rand"; "sort")
func run() {
	xs := make([]int, 1_000_000)
	for i := range xs {
		xs[i] = rand.Int()
	}
	sort.Slice(xs, func(i, j int) bool { return xs[i] < xs[j] })
}""",
        """import functools, random
def run():
    xs = [random.getrandbits(63) for _ in range(1_000_000)]
    xs.sort(key=functools.cmp_to_key(lambda x, y: x - y))""",
        0.5,
    ),
    (
        "map of 1e6",
        """func run() int {
	m := map[int]int{}
	for i := range 1_000_000 {
		m[i*7919%1_000_003]++
	}
	return len(m)
}""",
        """def run():
    m = {}
    for i in range(1_000_000):
        k = i * 7919 % 1_000_003
        m[k] = m.get(k, 0) + 1
    return len(m)""",
        1.5,
    ),
    (
        "Builder of 1e6",
        """import "strings"
func run() int {
	var b strings.Builder
	for range 1_000_000 {
		b.WriteString("ab")
	}
	return b.Len()
}""",
        """import io
def run():
    b = io.StringIO()
    for _ in range(1_000_000):
        b.write("ab")
    return b.tell()""",
        2,
    ),
    (
        "product of 200x200 slices",
        """func run() [][]float64 {
	const n = 200
	x, y, z := make([][]float64, n), make([][]float64, n), make([][]float64, n)
	for i := range n {
		x[i], y[i], z[i] = make([]float64, n), make([]float64, n), make([]float64, n)
		for j := range n {
			x[i][j], y[i][j] = float64(i+j), float64(i-j)
		}
	}
	for i := range n {
		for j := range n {
			s := 0.0
			for k := range n {
				s += x[i][k] * y[k][j]
			}
			z[i][j] = s
		}
	}
	return z
}""",
        """def run():
    n = 200
    x = [[float(i + j) for j in range(n)] for i in range(n)]
    y = [[float(i - j) for j in range(n)] for i in range(n)]
    z = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += x[i][k] * y[k][j]
            z[i][j] = s
    return z""",
        0.3,
    ),
    (
        "1e6 updates of a struct",
        """type point struct{ X, Y float64 }
func run() point {
	var p point
	for i := range 1_000_000 {
		p.X += float64(i)
		p.Y -= p.X * 0.5
	}
	return p
}""",
        """class Point:
    def __init__(self):
        self.x = self.y = 0.0
def run():
    p = Point()
    for i in range(1_000_000):
        p.x += float(i)
        p.y -= p.x * 0.5
    return p""",
        1,
    ),
]

# The name, the program in Go, and its bound in seconds.
SECONDS = [
    (
        "1e5 sends on a channel",
        """func run() (sum int) {
	c := make(chan int)
	go func() {
		for i := range 100_000 {
			c <- i
		}
		close(c)
	}()
	for v := range c {
		sum += v
	}
	return sum
}""",
        0.3,
    ),
]

TIMED = {
    "goanvil": "start := time.Now()\nrun()\ntime.Since(start).Seconds()",
    "python3": "import time\nstart = time.perf_counter()\nrun()\ntime.perf_counter() - start",
}


class Session:
    """Kernels that are used for all rounds."""

    def __init__(self):
        self.kernels = {name: Kernel(name) for name in TIMED}
        for kernel in self.kernels.values():
            kernel.ready()

    def __call__(self, name, program):
        """The seconds of three runs of a program."""
        kernel = self.kernels[name]
        kernel.execute(program)
        samples = []
        for _ in range(3):
            published = kernel.execute(TIMED[name])[1]
            values = [m["content"]["data"]["text/plain"] for m in published if m["msg_type"] == "execute_result"]
            assert values, published
            samples.append(float(values[0]))
        return samples

    def close(self):
        for kernel in self.kernels.values():
            kernel.close()
