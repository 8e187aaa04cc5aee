"""Writes gradient_compositions.jsonl.gz and ../gradient_compositions_test.go: derivatives of derivatives, of mapped
functions, of loops and of trees of parameters, by JAX in double precision.

    python gradient_compositions.py [go]    go: only the Go file

A line of gradient_compositions.jsonl.gz is a composition: its name, the operands x, the results, the tolerance, and the
source for both systems. Tensors and complex cotangents are as in gradients.jsonl.gz.
"""

import gzip
import inspect
import json
import os
import sys
import textwrap
import zlib

import gradients
from gradient_cases import D, K, P, V, Z
from gradients import HERE, OPERANDS, conj, jax, jnp, jsp, lax, nn, np, rounded, tensor

COMPOSITIONS = []


def composition(name, *draws, go, tolerance=1e-10):
    def add(f):
        lines = inspect.getsource(f).split("\n")
        start = next(i for i, l in enumerate(lines) if l.startswith("def "))
        source = textwrap.dedent("\n".join(lines[start + 1:])).strip()
        COMPOSITIONS.append({"name": name, "draws": draws, "go": textwrap.dedent(go).strip(), "tolerance": tolerance, "jax": source, "f": f})
    return add


@composition("grad of vmap of jvp", V(3, 2), go="""
    row := func(r nv.Tensor) nv.Tensor {
        _, d := nv.JVP(func(u nv.Tensor) nv.Tensor { return nv.Tanh(u).Mul(u) }, r, r.Mul(r))
        return d
    }
    return []nv.Tensor{nv.Grad(func(m nv.Tensor) nv.Tensor { return nv.Sum(nv.Vmap(row)(m)) })(x)}
    """)
def _(x):
    row = lambda r: jax.jvp(lambda u: jnp.tanh(u) * u, (r,), (r * r,))[1]
    return (jax.grad(lambda m: jnp.sum(jax.vmap(row)(m)))(x),)


@composition("vmap of grad of jvp", V(3, 2), go="""
    s := func(r nv.Tensor) nv.Tensor {
        _, d := nv.JVP(func(u nv.Tensor) nv.Tensor { return nv.Sum(nv.Exp(u.Mul(u))) }, r, nv.Sin(r))
        return d
    }
    return []nv.Tensor{nv.Vmap(nv.Grad(s))(x)}
    """)
def _(x):
    s = lambda r: jax.jvp(lambda u: jnp.sum(jnp.exp(u * u)), (r,), (jnp.sin(r),))[1]
    return (jax.vmap(jax.grad(s))(x),)


@composition("jvp of vmap of grad", V(3, 2), V(3, 2), go="""
    g := nv.Vmap(nv.Grad(func(r nv.Tensor) nv.Tensor { return nv.Prod(nv.Sin(r)) }))
    v, d := nv.JVP(g, x, y)
    return []nv.Tensor{v, d}
    """)
def _(x, y):
    return jax.jvp(jax.vmap(jax.grad(lambda r: jnp.prod(jnp.sin(r)))), (x,), (y,))


@composition("Hessian of a scan", V(3), V(4, 3), go="""
    return []nv.Tensor{nv.Hessian(func(c nv.Tensor) nv.Tensor {
        last, ys := nv.Scan(c, y, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) {
            n := nv.Tanh(c.Mul(v).Add(0.3))
            return n, n.Mul(c)
        })
        return nv.Sum(last).Add(nv.Sum(ys))
    })(x)}
    """)
def _(x, y):
    def body(c, v):
        n = jnp.tanh(c * v + 0.3)
        return n, n * c
    def f(c):
        last, ys = lax.scan(body, c, y)
        return jnp.sum(last) + jnp.sum(ys)
    return (jax.hessian(f)(x),)


@composition("third derivative", V(4), go="""
    third := nv.Grad(func(v nv.Tensor) nv.Tensor {
        return nv.Sum(nv.Grad(func(v nv.Tensor) nv.Tensor {
            return nv.Sum(nv.Grad(func(v nv.Tensor) nv.Tensor { return nv.Sum(nv.Tanh(v)) })(v))
        })(v))
    })
    return []nv.Tensor{third(x)}
    """)
def _(x):
    once = jax.grad(lambda v: jnp.sum(jnp.tanh(v)))
    twice = jax.grad(lambda v: jnp.sum(once(v)))
    return (jax.grad(lambda v: jnp.sum(twice(v)))(x),)


@composition("sixth derivative of tanh", V(), go="""
    f := func(v nv.Tensor) nv.Tensor { return nv.Tanh(v) }
    for range 6 {
        f = nv.Grad(f)
    }
    return []nv.Tensor{f(x)}
    """)
def _(x):
    f = jnp.tanh
    for _ in range(6):
        f = jax.grad(f)
    return (f(x),)


@composition("per-example gradients of a network", V(3, 4), V(4), V(5, 3), V(5), go="""
    type layer struct{ W, V nv.Tensor }
    loss := func(p layer, row, target nv.Tensor) nv.Tensor {
        return nv.Square(nv.Sub(nv.Dot(nv.Tanh(nv.MatMul(row, p.W)), p.V), target))
    }
    p := layer{x, y}
    rows := nv.Concatenate(1, z, nv.ExpandDims(w, 1))
    each := func(of func(layer) nv.Tensor) nv.Tensor {
        return nv.Vmap(func(r nv.Tensor) nv.Tensor {
            return of(nv.Grad(func(p layer) nv.Tensor { return loss(p, r.At(nv.Range(0, 3)), r.At(3)) })(p))
        })(rows)
    }
    return []nv.Tensor{each(func(g layer) nv.Tensor { return g.W }), each(func(g layer) nv.Tensor { return g.V })}
    """)
def _(x, y, z, w):
    loss = lambda p, row, target: (jnp.tanh(row @ p[0]) @ p[1] - target) ** 2
    return jax.vmap(jax.grad(loss), (None, 0, 0))((x, y), z, w)


@composition("norms of per-example gradients, and their gradient", V(3), V(5, 3), go="""
    norms := func(p nv.Tensor) nv.Tensor {
        return nv.Sum(nv.Vmap(func(r nv.Tensor) nv.Tensor {
            return nv.Norm(nv.Grad(func(p nv.Tensor) nv.Tensor { return nv.Softplus(nv.Dot(p, r)) })(p))
        })(y))
    }
    v, g := nv.ValueAndGrad(norms)(x)
    return []nv.Tensor{v, g}
    """)
def _(x, y):
    one = lambda p, r: jnp.linalg.norm(jax.grad(lambda p: nn.softplus(p @ r))(p))
    return jax.value_and_grad(lambda p: jnp.sum(jax.vmap(one, (None, 0))(p, y)))(x)


@composition("vjp of linear algebra inside If", V(3, 3), V(3), V(3), tolerance=1e-7, go="""
    type args struct{ A, B nv.Tensor }
    f := func(in args) nv.Tensor {
        return nv.If(nv.Sum(in.B).Gt(-100),
            func() nv.Tensor { return nv.Solve(nv.Add(in.A, nv.Mul(3, nv.Eye(3, nv.F64))), in.B) },
            func() nv.Tensor { return in.B.Mul(nv.Det(in.A)) })
    }
    v, pullback := nv.VJP(f, args{x, y})
    ct := pullback(z)
    return []nv.Tensor{v, ct.A, ct.B}
    """)
def _(x, y, z):
    f = lambda a, b: lax.cond(jnp.sum(b) > -100, lambda a, b: jnp.linalg.solve(a + 3 * jnp.eye(3), b), lambda a, b: b * jnp.linalg.det(a), a, b)
    value, pullback = jax.vjp(f, x, y)
    return (value, *pullback(z))


@composition("gradient of a Gaussian process", P(3), V(5, 2), V(5), tolerance=1e-7, go="""
    loss := func(p nv.Tensor) nv.Tensor {
        scaled := nv.Div(y, p.At(0))
        d := nv.Sub(nv.ExpandDims(scaled, 1), nv.ExpandDims(scaled, 0))
        k := nv.Mul(p.At(1), nv.Exp(nv.Mul(-0.5, nv.Sum(nv.Square(d), nv.Axis(-1))))).Add(nv.Mul(p.At(2), nv.Eye(5, nv.F64)))
        l := nv.Cholesky(k)
        a := nv.TriangularSolve(l, z)
        return nv.Dot(a, a).Mul(0.5).Add(nv.Sum(nv.Log(nv.Diagonal(l))))
    }
    return []nv.Tensor{nv.Grad(loss)(x), nv.Hessian(loss)(x)}
    """)
def _(x, y, z):
    def loss(p):
        scaled = y / p[0]
        d = scaled[:, None] - scaled[None]
        k = p[1] * jnp.exp(-0.5 * jnp.sum(d * d, -1)) + p[2] * jnp.eye(5)
        l = jnp.linalg.cholesky(k)
        a = jsp.linalg.solve_triangular(l, z, lower=True)
        return a @ a / 2 + jnp.sum(jnp.log(jnp.diagonal(l)))
    return jax.grad(loss)(x), jax.hessian(loss)(x)


@composition("Hessian, and the Jacobian of a gradient both ways", V(3), V(4, 3), go="""
    f := func(p nv.Tensor) nv.Tensor { return nv.LogSumExp(nv.MatMul(y, nv.Sin(p))) }
    return []nv.Tensor{nv.Hessian(f)(x), nv.Jacobian(nv.Grad(f))(x), nv.JacFwd(nv.Grad(f))(x)}
    """)
def _(x, y):
    f = lambda p: jsp.special.logsumexp(y @ jnp.sin(p))
    return jax.hessian(f)(x), jax.jacrev(jax.grad(f))(x), jax.jacfwd(jax.grad(f))(x)


@composition("Jacobian of a Jacobian", V(2), go="""
    f := func(v nv.Tensor) nv.Tensor { return nv.Cumprod(nv.Exp(v)).Mul(nv.Sum(v)) }
    return []nv.Tensor{nv.Jacobian(f)(x), nv.Jacobian(nv.Jacobian(f))(x), nv.JacFwd(nv.Jacobian(nv.JacFwd(f)))(x)}
    """)
def _(x):
    f = lambda v: jnp.cumprod(jnp.exp(v)) * jnp.sum(v)
    return jax.jacrev(f)(x), jax.jacrev(jax.jacrev(f))(x), jax.jacfwd(jax.jacrev(jax.jacfwd(f)))(x)


@composition("vmap of vmap of grad", V(2, 3, 2), go="""
    g := nv.Grad(func(v nv.Tensor) nv.Tensor { return nv.Prod(v).Mul(nv.Sin(nv.Sum(v))) })
    return []nv.Tensor{nv.Vmap(nv.Vmap(g))(x)}
    """)
def _(x):
    g = jax.grad(lambda v: jnp.prod(v) * jnp.sin(jnp.sum(v)))
    return (jax.vmap(jax.vmap(g))(x),)


@composition("vmap over other axes of a gradient", V(2, 3), V(3, 2), go="""
    g := func(v, u nv.Tensor) nv.Tensor {
        return nv.Grad(func(v nv.Tensor) nv.Tensor { return nv.Sum(nv.Exp(v.Mul(u))) })(v)
    }
    return []nv.Tensor{nv.Vmap(g, nv.InAxes(-1, 0))(x, y)}
    """)
def _(x, y):
    g = lambda v, u: jax.grad(lambda v: jnp.sum(jnp.exp(v * u)))(v)
    return (jax.vmap(g, (-1, 0))(x, y),)


@composition("Laplacians, mapped", V(4, 3), go="""
    f := func(v nv.Tensor) nv.Tensor { return nv.Exp(nv.Neg(nv.Sum(nv.Square(v)))).Mul(nv.Sin(v.At(0))) }
    return []nv.Tensor{nv.Vmap(func(v nv.Tensor) nv.Tensor { return nv.Trace(nv.Hessian(f)(v)) })(x)}
    """)
def _(x):
    f = lambda v: jnp.exp(-jnp.sum(v * v)) * jnp.sin(v[0])
    return (jax.vmap(lambda v: jnp.trace(jax.hessian(f)(v)))(x),)


@composition("gradient of the residual of a heat equation", V(2, 4), V(4), V(5, 2), go="""
    type net struct{ W, V nv.Tensor }
    u := func(p net, q nv.Tensor) nv.Tensor { return nv.Dot(nv.Tanh(nv.MatMul(q, p.W)), p.V) }
    residual := func(p net, q nv.Tensor) nv.Tensor {
        du := nv.Grad(func(q nv.Tensor) nv.Tensor { return u(p, q) })
        second := nv.Grad(func(q nv.Tensor) nv.Tensor { return du(q).At(1) })
        return du(q).At(0).Sub(second(q).At(1))
    }
    loss := func(p net) nv.Tensor {
        return nv.Mean(nv.Square(nv.Vmap(func(q nv.Tensor) nv.Tensor { return residual(p, q) })(z)))
    }
    v, g := nv.ValueAndGrad(loss)(net{x, y})
    return []nv.Tensor{v, g.W, g.V}
    """)
def _(x, y, z):
    u = lambda p, q: jnp.tanh(q @ p[0]) @ p[1]
    def residual(p, q):
        du = jax.grad(u, 1)
        return du(p, q)[0] - jax.grad(lambda q: du(p, q)[1])(q)[1]
    value, g = jax.value_and_grad(lambda p: jnp.mean(jax.vmap(lambda q: residual(p, q))(z) ** 2))((x, y))
    return (value, *g)


@composition("gradient through a step of gradient descent", V(3), V(4, 3), V(4), go="""
    loss := func(p nv.Tensor) nv.Tensor { return nv.Mean(nv.Square(nv.Sub(nv.Tanh(nv.MatMul(y, p)), z))) }
    return []nv.Tensor{nv.Grad(func(p nv.Tensor) nv.Tensor {
        return loss(p.Sub(nv.Mul(0.1, nv.Grad(loss)(p))))
    })(x)}
    """)
def _(x, y, z):
    loss = lambda p: jnp.mean((jnp.tanh(y @ p) - z) ** 2)
    return (jax.grad(lambda p: loss(p - 0.1 * jax.grad(loss)(p)))(x),)


@composition("gradient penalty", V(3, 2), V(2), V(4, 3), go="""
    type net struct{ W, V nv.Tensor }
    critic := func(p net, r nv.Tensor) nv.Tensor { return nv.Dot(nv.Silu(nv.MatMul(r, p.W)), p.V) }
    penalty := func(p net) nv.Tensor {
        norms := nv.Vmap(func(r nv.Tensor) nv.Tensor {
            return nv.Norm(nv.Grad(func(r nv.Tensor) nv.Tensor { return critic(p, r) })(r))
        })(z)
        return nv.Mean(nv.Square(norms.Sub(1)))
    }
    g := nv.Grad(penalty)(net{x, y})
    return []nv.Tensor{g.W, g.V}
    """)
def _(x, y, z):
    critic = lambda p, r: nn.silu(r @ p[0]) @ p[1]
    norm = lambda p, r: jnp.linalg.norm(jax.grad(critic, 1)(p, r))
    return jax.grad(lambda p: jnp.mean((jax.vmap(norm, (None, 0))(p, z) - 1) ** 2))((x, y))


@composition("gradient of an ordinary differential equation", V(2), V(2, 2), go="""
    type problem struct {
        Start nv.Tensor
        Rates map[string]nv.Tensor
    }
    loss := func(p problem) nv.Tensor {
        rhs := func(u nv.Tensor) nv.Tensor { return nv.Tanh(nv.MatMul(p.Rates["a"], u)).Add(p.Rates["b"]) }
        step := func(u, _ nv.Tensor) (nv.Tensor, nv.Tensor) {
            k1 := rhs(u)
            k2 := rhs(u.Add(k1.Mul(0.05)))
            k3 := rhs(u.Add(k2.Mul(0.05)))
            k4 := rhs(u.Add(k3.Mul(0.1)))
            n := u.Add(k1.Add(k2.Mul(2)).Add(k3.Mul(2)).Add(k4).Mul(0.1 / 6))
            return n, nv.Sum(nv.Square(n))
        }
        _, sizes := nv.Scan(p.Start, nv.Zeros(nv.Shape{8}, nv.F64), step)
        return nv.Mean(sizes)
    }
    v, g := nv.ValueAndGrad(loss)(problem{x, map[string]nv.Tensor{"a": y, "b": nv.Sin(x)}})
    return []nv.Tensor{v, g.Start, g.Rates["a"], g.Rates["b"]}
    """)
def _(x, y):
    def loss(p):
        rhs = lambda u: jnp.tanh(p["a"] @ u) + p["b"]
        def step(u, _):
            k1 = rhs(u)
            k2 = rhs(u + 0.05 * k1)
            k3 = rhs(u + 0.05 * k2)
            k4 = rhs(u + 0.1 * k3)
            n = u + (k1 + 2 * k2 + 2 * k3 + k4) * (0.1 / 6)
            return n, jnp.sum(n * n)
        return jnp.mean(lax.scan(step, p["start"], None, length=8)[1])
    value, g = jax.value_and_grad(loss)({"start": x, "a": y, "b": jnp.sin(x)})
    return value, g["start"], g["a"], g["b"]


@composition("gradient of a recurrent network of maps and slices", V(2, 3), V(3, 3), V(3), V(5, 2), go="""
    type params = map[string][]nv.Tensor
    loss := func(p params) nv.Tensor {
        last, hs := nv.Scan(nv.Zeros(nv.Shape{3}, nv.F64), w, func(h, v nv.Tensor) (nv.Tensor, nv.Tensor) {
            n := nv.Tanh(nv.MatMul(v, p["w"][0]).Add(nv.MatMul(h, p["w"][1])).Add(p["b"][0]))
            return n, nv.Logistic(n)
        })
        return nv.Sum(last).Add(nv.Mean(nv.Square(hs)))
    }
    g := nv.Grad(loss)(params{"w": {x, y}, "b": {z}})
    return []nv.Tensor{g["w"][0], g["w"][1], g["b"][0]}
    """)
def _(x, y, z, w):
    def loss(p):
        def step(h, v):
            n = jnp.tanh(v @ p["w"][0] + h @ p["w"][1] + p["b"][0])
            return n, nn.sigmoid(n)
        last, hs = lax.scan(step, jnp.zeros(3), w)
        return jnp.sum(last) + jnp.mean(hs ** 2)
    g = jax.grad(loss)({"w": [x, y], "b": [z]})
    return g["w"][0], g["w"][1], g["b"][0]


@composition("HVP of a tree", V(3, 2), V(2), V(3, 2), V(2), go="""
    type layer struct{ W, B nv.Tensor }
    type net struct{ Layers []layer }
    f := func(n net) nv.Tensor {
        l := n.Layers[0]
        return nv.Sum(nv.Softplus(nv.MatMul(nv.From([]float64{1, -2, 0.5}), l.W).Add(l.B))).Add(nv.Sum(nv.Exp(l.B)).Mul(nv.Sum(l.W)))
    }
    h := nv.HVP(f, net{[]layer{{x, y}}}, net{[]layer{{z, w}}})
    return []nv.Tensor{h.Layers[0].W, h.Layers[0].B}
    """)
def _(x, y, z, w):
    f = lambda W, b: jnp.sum(nn.softplus(jnp.array([1, -2, 0.5]) @ W + b)) + jnp.sum(jnp.exp(b)) * jnp.sum(W)
    return jax.jvp(jax.grad(f, (0, 1)), (x, y), (z, w))[1]


@composition("jvp of a pullback by its cotangent", V(3), V(3), V(3), go="""
    pull := func(ct nv.Tensor) nv.Tensor {
        _, pullback := nv.VJP(func(v nv.Tensor) nv.Tensor { return nv.Cumsum(nv.Sin(v)).Mul(v) }, x)
        return pullback(nv.Square(ct))
    }
    v, d := nv.JVP(pull, y, z)
    return []nv.Tensor{v, d}
    """)
def _(x, y, z):
    pull = lambda ct: jax.vjp(lambda v: jnp.cumsum(jnp.sin(v)) * v, x)[1](ct * ct)[0]
    return jax.jvp(pull, (y,), (z,))


@composition("gradient of a linearized function", V(3), V(3), go="""
    return []nv.Tensor{nv.Grad(func(v nv.Tensor) nv.Tensor {
        value, tangent := nv.Linearize(func(u nv.Tensor) nv.Tensor { return nv.Exp(u).Mul(nv.Sum(u)) }, v)
        return nv.Sum(value.Mul(tangent(y)))
    })(x)}
    """)
def _(x, y):
    def f(v):
        value, tangent = jax.linearize(lambda u: jnp.exp(u) * jnp.sum(u), v)
        return jnp.sum(value * tangent(y))
    return (jax.grad(f)(x),)


@composition("gradient of Jit of a gradient of Jit", V(3), go="""
    f := nv.Jit(func(v nv.Tensor) nv.Tensor { return nv.Prod(nv.Cosh(v)) })
    g := nv.Jit(nv.Grad(f))
    return []nv.Tensor{nv.Jit(nv.Grad(func(v nv.Tensor) nv.Tensor { return nv.Norm(g(v)) }))(x)}
    """)
def _(x):
    g = jax.jit(jax.grad(jax.jit(lambda v: jnp.prod(jnp.cosh(v)))))
    return (jax.jit(jax.grad(lambda v: jnp.linalg.norm(g(v))))(x),)


@composition("Hessian of a checkpointed scan", V(2), V(5, 2), go="""
    step := nv.Checkpoint(func(c, v nv.Tensor) nv.Tensor { return nv.Sin(c.Mul(v)).Add(c) })
    f := func(c nv.Tensor) nv.Tensor {
        last, _ := nv.Scan(c, y, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) {
            n := step(c, v)
            return n, n
        })
        return nv.Prod(last)
    }
    return []nv.Tensor{nv.Grad(f)(x), nv.Hessian(f)(x)}
    """)
def _(x, y):
    step = jax.checkpoint(lambda c, v: jnp.sin(c * v) + c)
    f = lambda c: jnp.prod(lax.scan(lambda c, v: (step(c, v), None), c, y)[0])
    return jax.grad(f)(x), jax.hessian(f)(x)


@composition("forward through While, twice", V(), V(), go="""
    f := func(v nv.Tensor) nv.Tensor {
        return nv.While(v, func(v nv.Tensor) nv.Tensor { return nv.Abs(v).Lt(30) }, func(v nv.Tensor) nv.Tensor { return v.Mul(v).Mul(0.3).Add(v.Mul(1.7)).Add(1) })
    }
    first := func(v nv.Tensor) nv.Tensor {
        _, d := nv.JVP(f, v, nv.Cos(y))
        return d
    }
    v, d := nv.JVP(first, x, y)
    return []nv.Tensor{v, d}
    """)
def _(x, y):
    f = lambda v: lax.while_loop(lambda v: jnp.abs(v) < 30, lambda v: v * v * 0.3 + v * 1.7 + 1, v)
    first = lambda v: jax.jvp(f, (v,), (jnp.cos(y),))[1]
    return jax.jvp(first, (x,), (y,))


@composition("grad of Switch inside a scan", V(3), go="""
    f := func(v nv.Tensor) nv.Tensor {
        last, _ := nv.Scan(v, nv.New([]int{0, 2, 1, 0}), func(c, i nv.Tensor) (nv.Tensor, nv.Tensor) {
            n := nv.Switch(i,
                func() nv.Tensor { return nv.Sin(c) },
                func() nv.Tensor { return nv.Exp(nv.Neg(c)) },
                func() nv.Tensor { return c.Mul(nv.Sum(c)) })
            return n, n
        })
        return nv.Sum(nv.Square(last))
    }
    return []nv.Tensor{nv.Grad(f)(x), nv.HVP(f, x, nv.Cos(x))}
    """)
def _(x):
    def f(v):
        step = lambda c, i: (lax.switch(i, [jnp.sin, lambda c: jnp.exp(-c), lambda c: c * jnp.sum(c)], c), None)
        return jnp.sum(lax.scan(step, v, jnp.array([0, 2, 1, 0]))[0] ** 2)
    return jax.grad(f)(x), jax.jvp(jax.grad(f), (x,), (jnp.cos(x),))[1]


@composition("gradient of a spectrum's power", V(6), Z(4), go="""
    type args struct{ Signal, Filter nv.Tensor }
    loss := func(a args) nv.Tensor {
        s := nv.Mul(nv.RFFT(nv.Sin(a.Signal)), a.Filter)
        return nv.Sum(nv.Square(nv.Abs(s))).Add(nv.Sum(nv.IRFFT(s)))
    }
    g := nv.Grad(loss)(args{x, y})
    return []nv.Tensor{g.Signal, g.Filter}
    """)
def _(x, y):
    def loss(x, y):
        s = jnp.fft.rfft(jnp.sin(x)) * y
        return jnp.sum(jnp.abs(s) ** 2) + jnp.sum(jnp.fft.irfft(s))
    return conj(jax.grad(loss, (0, 1))(x, y))


@composition("gradients of complex losses, mapped", Z(3, 2), go="""
    loss := func(v nv.Tensor) nv.Tensor { return nv.Real(nv.Prod(v)).Mul(nv.Sum(nv.Abs(v))).Add(nv.Imag(nv.Exp(nv.Sum(v)))) }
    return []nv.Tensor{nv.Vmap(nv.Grad(loss))(x)}
    """)
def _(x):
    loss = lambda v: jnp.real(jnp.prod(v)) * jnp.sum(jnp.abs(v)) + jnp.imag(jnp.exp(jnp.sum(v)))
    return conj((jax.vmap(jax.grad(loss))(x),))


@composition("second derivatives of a complex loss along a direction", Z(3), Z(3), go="""
    loss := func(v nv.Tensor) nv.Tensor { return nv.Sum(nv.Square(nv.Abs(nv.Sin(v)))).Add(nv.Real(nv.Dot(v, nv.Exp(v)))) }
    v, d := nv.JVP(nv.Grad(loss), x, y)
    return []nv.Tensor{v, d}
    """)
def _(x, y):
    loss = lambda v: jnp.sum(jnp.abs(jnp.sin(v)) ** 2) + jnp.real(jnp.dot(v, jnp.exp(v)))
    return conj(jax.jvp(jax.grad(loss), (x,), (y,)))


@composition("gradient of the magnitude of a complex scan", Z(2), Z(4, 2), go="""
    type args struct{ Start, Rates nv.Tensor }
    loss := func(a args) nv.Tensor {
        last, ys := nv.Scan(a.Start, a.Rates, func(c, v nv.Tensor) (nv.Tensor, nv.Tensor) {
            n := nv.Mul(c, v).Add(nv.Conj(c).Mul(0.5))
            return n, nv.Abs(n)
        })
        return nv.Real(nv.Sum(last)).Add(nv.Sum(ys))
    }
    g := nv.Grad(loss)(args{x, y})
    return []nv.Tensor{g.Start, g.Rates}
    """)
def _(x, y):
    def step(c, v):
        n = c * v + 0.5 * jnp.conj(c)
        return n, jnp.abs(n)
    def loss(x, y):
        last, ys = lax.scan(step, x, y)
        return jnp.real(jnp.sum(last)) + jnp.sum(ys)
    return conj(jax.grad(loss, (0, 1))(x, y))


@composition("gradient of a complex solve's magnitude", Z(2, 2), V(2), tolerance=1e-7, go="""
    type args struct{ A, B nv.Tensor }
    loss := func(a args) nv.Tensor {
        return nv.Norm(nv.Solve(nv.Add(a.A, nv.Mul(3, nv.Eye(2, nv.F64))), a.B))
    }
    g := nv.Grad(loss)(args{x, y})
    return []nv.Tensor{g.A, g.B}
    """)
def _(x, y):
    return conj(jax.grad(lambda a, b: jnp.linalg.norm(jnp.linalg.solve(a + 3 * jnp.eye(2), b.astype(jnp.complex128))), (0, 1))(x, y))


@composition("vmap of a gradient of eigenvalues", V(3, 2, 2), tolerance=1e-7, go="""
    f := func(m nv.Tensor) nv.Tensor { return nv.Sum(nv.Exp(nv.EigValsH(nv.Add(m, nv.Transpose(m))))) }
    return []nv.Tensor{nv.Vmap(nv.Grad(f))(x)}
    """)
def _(x):
    f = lambda m: jnp.sum(jnp.exp(jnp.linalg.eigvalsh(m + m.T)))
    return (jax.vmap(jax.grad(f))(x),)


@composition("vmap of Hessians of a log determinant", V(2, 2, 2), tolerance=1e-7, go="""
    f := func(v nv.Tensor) nv.Tensor {
        m := nv.Reshape(v, nv.Shape{2, 2})
        _, l := nv.SlogDet(nv.MatMul(m, nv.Transpose(m)).Add(nv.Eye(2, nv.F64)))
        return l
    }
    return []nv.Tensor{nv.Vmap(nv.Hessian(f))(nv.Reshape(x, nv.Shape{2, 4}))}
    """)
def _(x):
    def f(v):
        m = v.reshape(2, 2)
        return jnp.linalg.slogdet(m @ m.T + jnp.eye(2))[1]
    return (jax.vmap(jax.hessian(f))(x.reshape(2, 4)),)


@composition("a gradient that is stopped inside", V(3), go="""
    f := func(v nv.Tensor) nv.Tensor {
        g := nv.Grad(func(u nv.Tensor) nv.Tensor { return nv.Sum(nv.Exp(u).Mul(nv.StopGradient(nv.Sin(u)))) })
        return nv.Sum(g(v).Mul(nv.StopGradient(v)).Mul(v))
    }
    return []nv.Tensor{nv.Grad(f)(x)}
    """)
def _(x):
    g = jax.grad(lambda u: jnp.sum(jnp.exp(u) * lax.stop_gradient(jnp.sin(u))))
    return (jax.grad(lambda v: jnp.sum(g(v) * lax.stop_gradient(v) * v))(x),)


@composition("gradient of sorted gradients", D(5), go="""
    g := nv.Grad(func(v nv.Tensor) nv.Tensor { return nv.Sum(nv.Square(v).Mul(nv.Exp(v.Mul(0.3)))) })
    f := func(v nv.Tensor) nv.Tensor {
        top, _ := nv.TopK(g(v), 3)
        return nv.Dot(top, nv.From([]float64{1, -2, 0.5})).Add(nv.Dot(nv.Sort(v), nv.Sin(v)))
    }
    return []nv.Tensor{nv.Grad(f)(x)}
    """)
def _(x):
    g = jax.grad(lambda v: jnp.sum(v * v * jnp.exp(0.3 * v)))
    f = lambda v: jnp.dot(lax.top_k(g(v), 3)[0], jnp.array([1, -2, 0.5])) + jnp.dot(jnp.sort(v), jnp.sin(v))
    return (jax.grad(f)(x),)


@composition("embedding, written and read by index", V(4, 2), V(2), go="""
    type args struct{ Table, Row nv.Tensor }
    loss := func(a args) nv.Tensor {
        t := nv.AddAt(nv.Sin(a.Table), a.Row, nv.New([]int{1, 1, 3}))
        return nv.Sum(nv.Softmax(t.At(nv.New([]int{1, 3, 1})).Mul(t.At(0))).At(nv.All, 0))
    }
    h := nv.HVP(loss, args{x, y}, args{nv.Cos(x), nv.Cos(y)})
    g := nv.Grad(loss)(args{x, y})
    return []nv.Tensor{g.Table, g.Row, h.Table, h.Row}
    """)
def _(x, y):
    def loss(table, row):
        t = jnp.sin(table).at[jnp.array([1, 1, 3])].add(row)
        return jnp.sum(nn.softmax(t[jnp.array([1, 3, 1])] * t[0])[:, 0])
    g = jax.grad(loss, (0, 1))
    return (*g(x, y), *jax.jvp(g, (x, y), (jnp.cos(x), jnp.cos(y)))[1])


@composition("gradient of a convolutional network", V(2, 4, 4, 1), V(2, 2, 1, 2), V(2, 3), tolerance=1e-9, go="""
    type net struct{ Kernel, Head nv.Tensor }
    loss := func(n net) nv.Tensor {
        h := nv.AvgPool(nv.Gelu(nv.Conv2D(x, n.Kernel, nv.Same)), nv.Shape{2, 2})
        return nv.CrossEntropyLoss(nv.MatMul(nv.Mean(h, nv.Axis(1), nv.Axis(2)), n.Head), nv.New([]int{2, 0}))
    }
    v, g := nv.ValueAndGrad(loss)(net{y, z})
    h := nv.HVP(loss, net{y, z}, net{nv.Cos(y), nv.Cos(z)})
    return []nv.Tensor{v, g.Kernel, g.Head, h.Kernel, h.Head}
    """)
def _(x, y, z):
    def loss(kernel, head):
        h = nn.gelu(lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")), approximate=False)
        h = lax.reduce_window(h, 0., lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return -jnp.mean(nn.log_softmax(h.mean((1, 2)) @ head)[jnp.arange(2), jnp.array([2, 0])])
    value, g = jax.value_and_grad(loss, (0, 1))(y, z)
    return (value, *g, *jax.jvp(jax.grad(loss, (0, 1)), (y, z), (jnp.cos(y), jnp.cos(z)))[1])


@composition("gradient of attention, mapped over heads", V(2, 3, 2), V(2, 3, 2), V(2, 3, 2), go="""
    one := func(q, k, v nv.Tensor) nv.Tensor { return nv.Attention(q, k, v) }
    type args struct{ Q, K, V nv.Tensor }
    g := nv.Grad(func(a args) nv.Tensor { return nv.Sum(nv.Square(nv.Vmap(one)(a.Q, a.K, a.V))) })(args{x, y, z})
    return []nv.Tensor{g.Q, g.K, g.V}
    """)
def _(x, y, z):
    one = lambda q, k, v: nn.softmax(q @ k.T / jnp.sqrt(2.)) @ v
    return jax.grad(lambda q, k, v: jnp.sum(jax.vmap(one)(q, k, v) ** 2), (0, 1, 2))(x, y, z)


@composition("Newton's method through ForI", P(), go="""
    root := func(a nv.Tensor) nv.Tensor {
        f := func(u nv.Tensor) nv.Tensor { return nv.Sub(u.Mul(u).Mul(u), a) }
        return nv.ForI(6, nv.OnesLike(a), func(_, u nv.Tensor) nv.Tensor { return u.Sub(f(u).Div(nv.Grad(f)(u))) })
    }
    return []nv.Tensor{root(x), nv.Grad(root)(x), nv.Grad(nv.Grad(root))(x)}
    """)
def _(x):
    def root(a):
        f = lambda u: u ** 3 - a
        return lax.fori_loop(0, 6, lambda _, u: u - f(u) / jax.grad(f)(u), jnp.ones_like(a))
    return root(x), jax.grad(root)(x), jax.grad(jax.grad(root))(x)


@composition("gradients of a mapped associative scan", V(3, 4), go="""
    f := func(v nv.Tensor) nv.Tensor {
        return nv.AssociativeScan(func(a, b nv.Tensor) nv.Tensor { return a.Mul(b) }, nv.Exp(nv.Sin(v)))
    }
    return []nv.Tensor{nv.Grad(func(m nv.Tensor) nv.Tensor { return nv.Sum(nv.Square(nv.Vmap(f)(m))) })(x), nv.Vmap(nv.Jacobian(f))(x)}
    """)
def _(x):
    f = lambda v: lax.associative_scan(jnp.multiply, jnp.exp(jnp.sin(v)))
    return jax.grad(lambda m: jnp.sum(jax.vmap(f)(m) ** 2))(x), jax.vmap(jax.jacrev(f))(x)


@composition("gradient of a value and its gradient", V(3), go="""
    f := func(v nv.Tensor) nv.Tensor { return nv.Sum(nv.Erf(v)).Mul(nv.LogSumExp(v)) }
    return []nv.Tensor{nv.Grad(func(v nv.Tensor) nv.Tensor {
        y, g := nv.ValueAndGrad(f)(v)
        return y.Mul(nv.Sum(nv.Square(g)))
    })(x)}
    """)
def _(x):
    f = lambda v: jnp.sum(jsp.special.erf(v)) * jsp.special.logsumexp(v)
    def g(v):
        value, gradient = jax.value_and_grad(f)(v)
        return value * jnp.sum(gradient ** 2)
    return (jax.grad(g)(x),)


@composition("Fisher information, mapped and averaged", V(2, 3), V(4, 2), go="""
    scores := nv.Vmap(func(r nv.Tensor) nv.Tensor {
        return nv.Jacobian(func(w nv.Tensor) nv.Tensor { return nv.LogSoftmax(nv.MatMul(r, nv.Reshape(w, nv.Shape{2, 3}))) })(nv.Flatten(x))
    })(y)
    return []nv.Tensor{nv.Einsum("bci,bcj->ij", scores, scores)}
    """)
def _(x, y):
    scores = jax.vmap(lambda r: jax.jacrev(lambda w: nn.log_softmax(r @ w.reshape(2, 3)))(x.ravel()))(y)
    return (jnp.einsum("bci,bcj->ij", scores, scores),)


def line(c):
    rng = np.random.default_rng(zlib.crc32(c["name"].encode()))
    x = tuple(rounded(d(rng)) for d in c["draws"])
    results = jax.jit(c["f"])(*x)
    return json.dumps({"name": c["name"], "go": c["go"], "jax": c["jax"], "tolerance": c["tolerance"], "x": [tensor(a) for a in x],
                       "results": [tensor(a) for a in results]}, separators=(",", ":"))


def go():
    lines = ["// Code generated by testdata/gradient_compositions.py; DO NOT EDIT.", "", "package anvil_test", "",
             'import nv "github.com/goanvil/notebook/anvil"', "",
             "// gradientCompositions are the functions of testdata/gradient_compositions.jsonl.gz by name.",
             "var gradientCompositions = map[string]func(in []nv.Tensor) []nv.Tensor{"]
    for c in COMPOSITIONS:
        n = len(c["draws"])
        lines.append(f"\t{json.dumps(c['name'])}: func(in []nv.Tensor) []nv.Tensor {{")
        lines.append(f"\t\t{', '.join(OPERANDS[:n])} := {', '.join(f'in[{i}]' for i in range(n))}")
        lines += ["\t\t" + l for l in c["go"].split("\n")] + ["\t},"]
    path = HERE.parent / "gradient_compositions_test.go"
    path.write_text("\n".join(lines + ["}", ""]))
    os.system(f"gofmt -w {path}")


if __name__ == "__main__":
    if sys.argv[1:] != ["go"]:
        lines = [json.dumps({"jax": jax.__version__, "numpy": np.__version__})] + [line(c) for c in COMPOSITIONS]
        with open(HERE / "gradient_compositions.jsonl.gz", "wb") as f, gzip.GzipFile(fileobj=f, mode="wb", mtime=0, filename="") as z:
            z.write(("\n".join(lines) + "\n").encode())
    go()
