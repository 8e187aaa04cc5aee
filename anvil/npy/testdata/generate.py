"""Writes arrays.npz with NumPy and bf16.npy with JAX: what package npy must read. numpy 2.4.6, jax 0.10.2"""
import jax.numpy as jnp
import ml_dtypes
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

# What ml_dtypes adds to NumPy has no name in a file, but float8_e5m2 one that NumPy itself does not read. ml_dtypes 0.6.0
values = np.array([0, 1, -1, 0.5, 6, -7])
np.savez_compressed(
    "narrow.npz",
    f8=values.astype(ml_dtypes.float8_e4m3fn),
    e5m2=values.astype(ml_dtypes.float8_e5m2),
    i4=values.astype(np.int32).astype(ml_dtypes.int4),
    f4=values.astype(ml_dtypes.float4_e2m1fn),
    u2=np.array([0, 1, 2, 3]).astype(ml_dtypes.uint2),
    i2=np.array([0, 1, -1, -2]).astype(ml_dtypes.int2),
    bf=values.astype(ml_dtypes.bfloat16),
    f32=values.astype("<f4"),
    words=np.array(["no", "number"]),
    days=np.array(["2020-02-29"], "M8[D]"),
    records=np.zeros(2, [("a", "<f4"), ("b", "<i4")]),
    objects=np.array([1, None], object),
    longer=np.zeros(1, np.longdouble),
)
