"""Writes arrays.npz with NumPy and bf16.npy with JAX: what package npy must read. numpy 2.4.6, jax 0.10.2"""
import jax.numpy as jnp
import numpy as np

m = np.arange(6).reshape(2, 3)
np.savez(
    "arrays.npz",
    f32=m.astype("<f4") / 4,
    f64=m.astype("<f8") / 3,
    f16=m.astype("<f2"),
    big=m.astype(">f4") / 4,
    big_complex=m.astype(">c8") * (1 + 2j),
    fortran=np.asfortranarray(m.astype("<i4")),
    fortran3=np.asfortranarray(np.arange(24, dtype="<i2").reshape(2, 3, 4)),
    bools=np.array([True, False, True]),
    c128=m.astype("<c16") * (1 + 2j),
    u8=m.astype("u1"),
    u64=np.array([2**64 - 1], "<u8"),
    i64=np.array([-(2**63)], ">i8"),
    scalar=np.array(7, "<i4"),
    empty=np.zeros((0, 3), "<f4"),
    text=np.array(["no", "number"]),
)
jnp.save("bf16.npy", jnp.array([[1, 2], [3, 4]], jnp.bfloat16))
