"""Writes indexing.txt: what random indices take of small arrays, and put in them, by NumPy.

    python indexing.py > indexing.txt

A line is: shape | indices | shape of the value | shape of the result | three digests. The array counts
0, 1, 2, ...; the digests are of x[index], of x after x[index] = value and of x after np.add.at(x, index, value).
The value counts -1, -2, ...; in an assignment where an element stands twice it is -1 throughout.
A digest is the sum of (i + 1) * element i, modulo 1000003.

Indices are separated by ";": 3, low:high:step (S and E: the start and the end), ..., new, (2,1)[0 -1] for an array, m(2)[1 0] for a mask.
"""

import numpy as np

rng = np.random.default_rng(20261121)


def span(n):
    step = int(rng.choice([1, 1, 1, 2, 3, -1, -2]))
    low, high = sorted(int(v) for v in rng.integers(0, n + 1, 2))
    if step < 0:
        low, high = high - 1, low - 1
        texts = ["S" if low == n - 1 and rng.random() < 0.5 or low < 0 else str(low), "E" if high < 0 else str(high)]
        if low < 0:
            return slice(0, 0), "0:0:1"
        if high >= 0 and rng.random() < 0.3:
            texts[1] = str(high - n)
        return slice(low, None if high < 0 else high, step), f"{texts[0]}:{texts[1]}:{step}"
    texts = [str(low), "E" if high == n and rng.random() < 0.7 else str(high)]
    if 0 < low < n and rng.random() < 0.3:
        texts[0] = str(low - n)
    return slice(low, high, step), f"{texts[0]}:{texts[1]}:{step}"


def nested(a):
    return f"({','.join(map(str, a.shape))})[{' '.join(str(int(v)) for v in a.ravel())}]"


def draw():
    shape = tuple(int(n) for n in rng.integers(1, 5, rng.integers(1, 5)))
    if rng.random() < 0.06:
        shape = shape[:-1] + (0,)
    batch = tuple(int(n) for n in rng.integers(1, 4, rng.integers(1, 3)))
    index, texts, axis, dots = [], [], 0, False
    while axis < len(shape) and rng.random() < 0.93:
        n, kind = shape[axis], rng.random()
        if kind < 0.05:
            index.append(None), texts.append("new")
        elif kind < 0.11 and not dots:
            dots = True
            left = len(shape) - axis
            skip = int(rng.integers(0, left + 1))
            index.append(Ellipsis), texts.append("...")
            axis += skip
            shape_left = len(shape) - axis
            if skip and shape_left:  # what follows must reach the end
                for _ in range(shape_left):
                    i, t = span(shape[axis])
                    index.append(i), texts.append(t)
                    axis += 1
            elif not skip:
                for _ in range(shape_left):
                    i, t = (int(rng.integers(-shape[axis], shape[axis])),) * 2 if shape[axis] else span(0)
                    index.append(i), texts.append(str(t))
                    axis += 1
            break
        elif kind < 0.30 and n:
            i = int(rng.integers(-n, n))
            index.append(i), texts.append(str(i)), 
            axis += 1
        elif kind < 0.62:
            i, t = span(n)
            index.append(i), texts.append(t)
            axis += 1
        elif kind < 0.90 and n:
            part = batch[int(rng.integers(0, len(batch))):]
            part = tuple(1 if rng.random() < 0.2 else m for m in part)
            a = rng.integers(-n, n, part)
            index.append(a), texts.append(nested(a))
            axis += 1
        else:
            rank = 2 if rng.random() < 0.3 and axis + 1 < len(shape) else 1
            m = rng.random(shape[axis:axis + rank]) < 0.6
            index.append(m), texts.append("m" + nested(m))
            axis += rank
    return shape, tuple(index), ";".join(texts)


def digest(a):
    a = a.ravel().astype(np.int64)
    return int((np.arange(1, a.size + 1) * a).sum() % 1000003)


def dims(s):
    return ",".join(map(str, s))


print("# numpy", np.__version__)
rows = 0
while rows < 2000:
    shape, index, text = draw()
    x = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    try:
        got = x[index]
    except IndexError:  # arrays that do not broadcast together
        continue
    value = [1 if rng.random() < 0.2 else n for n in got.shape][int(rng.integers(0, got.ndim + 1)):]
    v = -1 - np.arange(np.prod(value, dtype=int)).reshape(value)
    put, add = x.copy(), x.copy()
    put[index] = v if len(np.unique(got)) == got.size else -np.ones_like(v)
    np.add.at(add, index, np.broadcast_to(v, got.shape).copy())  # NumPy 2.4 reads beyond a value that it broadcasts itself
    print(" | ".join([dims(shape), text, dims(value), dims(got.shape), f"{digest(got)} {digest(put)} {digest(add)}"]))
    rows += 1
