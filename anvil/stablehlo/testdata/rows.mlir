// Constant: awkward
module {
  func.func public @main() -> tensor<27xf32> {
    %0 = stablehlo.constant dense<[3.4028235e+38, -3.4028235e+38, 1.1754944e-38, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.0, 0.1, 0.001, 10.0, 100.25, -1000.0, 0x7F800000, 0xFF800000, 0x7FC00000, 1.0e-07, 1.0e+07, 65504.0, 3.1415927, 2.7182817]> : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Constant: splat
module {
  func.func public @main() -> tensor<2x3xf32> {
    %0 = stablehlo.constant dense<-3.4028235e+38> : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Constant: matrix
module {
  func.func public @main() -> tensor<2x3xf32> {
    %0 = stablehlo.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 0.0]]> : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Constant: scalar
module {
  func.func public @main() -> tensor<f32> {
    %0 = stablehlo.constant dense<3.4028235e+38> : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Constant: empty
module {
  func.func public @main() -> tensor<0x2xf32> {
    %0 = stablehlo.constant dense<> : tensor<0x2xf32>
    return %0 : tensor<0x2xf32>
  }
}

// Iota: vector
module {
  func.func public @main() -> tensor<4xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// Iota: rows
module {
  func.func public @main() -> tensor<3x2xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}

// Iota: columns
module {
  func.func public @main() -> tensor<2x4xf32> {
    %0 = stablehlo.iota dim = 1 : tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// Iota: empty
module {
  func.func public @main() -> tensor<0xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<0xf32>
    return %0 : tensor<0xf32>
  }
}

// Convert: to i1
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi1> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi1>
    return %0 : tensor<27xi1>
  }
}

// Convert: to i2
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi2> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi2>
    return %0 : tensor<27xi2>
  }
}

// Convert: to i4
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi4> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi4>
    return %0 : tensor<27xi4>
  }
}

// Convert: to i8
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi8> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi8>
    return %0 : tensor<27xi8>
  }
}

// Convert: to i16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi16> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi16>
    return %0 : tensor<27xi16>
  }
}

// Convert: to i32
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi32> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi32>
    return %0 : tensor<27xi32>
  }
}

// Convert: to i64
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi64> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xi64>
    return %0 : tensor<27xi64>
  }
}

// Convert: to ui2
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui2> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xui2>
    return %0 : tensor<27xui2>
  }
}

// Convert: to ui4
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui4> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xui4>
    return %0 : tensor<27xui4>
  }
}

// Convert: to ui8
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui8> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xui8>
    return %0 : tensor<27xui8>
  }
}

// Convert: to ui16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui16> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xui16>
    return %0 : tensor<27xui16>
  }
}

// Convert: to ui32
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui32> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xui32>
    return %0 : tensor<27xui32>
  }
}

// Convert: to ui64
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui64> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xui64>
    return %0 : tensor<27xui64>
  }
}

// Convert: to f4e2m1fn
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf4E2M1FN> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf4E2M1FN>
    return %0 : tensor<27xf4E2M1FN>
  }
}

// Convert: to f8e3m4
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E3M4> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E3M4>
    return %0 : tensor<27xf8E3M4>
  }
}

// Convert: to f8e4m3
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E4M3> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E4M3>
    return %0 : tensor<27xf8E4M3>
  }
}

// Convert: to f8e4m3b11fnuz
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E4M3B11FNUZ> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E4M3B11FNUZ>
    return %0 : tensor<27xf8E4M3B11FNUZ>
  }
}

// Convert: to f8e4m3fn
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E4M3FN> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E4M3FN>
    return %0 : tensor<27xf8E4M3FN>
  }
}

// Convert: to f8e4m3fnuz
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E4M3FNUZ> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E4M3FNUZ>
    return %0 : tensor<27xf8E4M3FNUZ>
  }
}

// Convert: to f8e5m2
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E5M2> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E5M2>
    return %0 : tensor<27xf8E5M2>
  }
}

// Convert: to f8e5m2fnuz
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E5M2FNUZ> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E5M2FNUZ>
    return %0 : tensor<27xf8E5M2FNUZ>
  }
}

// Convert: to f8e8m0fnu
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf8E8M0FNU> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf8E8M0FNU>
    return %0 : tensor<27xf8E8M0FNU>
  }
}

// Convert: to bf16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xbf16> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xbf16>
    return %0 : tensor<27xbf16>
  }
}

// Convert: to f16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf16> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf16>
    return %0 : tensor<27xf16>
  }
}

// Convert: to f32
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Convert: to f64
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf64> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xf64>
    return %0 : tensor<27xf64>
  }
}

// Convert: to c64
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xcomplex<f32>>
    return %0 : tensor<27xcomplex<f32>>
  }
}

// Convert: to c128
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xcomplex<f64>> {
    %0 = stablehlo.convert %arg0 : (tensor<27xf32>) -> tensor<27xcomplex<f64>>
    return %0 : tensor<27xcomplex<f64>>
  }
}

// BitcastConvert: to i2
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x16xi2> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x16xi2>
    return %0 : tensor<27x16xi2>
  }
}

// BitcastConvert: to i4
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x8xi4> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x8xi4>
    return %0 : tensor<27x8xi4>
  }
}

// BitcastConvert: to i8
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xi8> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xi8>
    return %0 : tensor<27x4xi8>
  }
}

// BitcastConvert: to i16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x2xi16> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x2xi16>
    return %0 : tensor<27x2xi16>
  }
}

// BitcastConvert: to i32
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi32> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27xi32>
    return %0 : tensor<27xi32>
  }
}

// BitcastConvert: to i64
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3xi64> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3x2xf32>) -> tensor<3xi64>
    return %0 : tensor<3xi64>
  }
}

// BitcastConvert: to ui2
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x16xui2> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x16xui2>
    return %0 : tensor<27x16xui2>
  }
}

// BitcastConvert: to ui4
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x8xui4> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x8xui4>
    return %0 : tensor<27x8xui4>
  }
}

// BitcastConvert: to ui8
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xui8> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xui8>
    return %0 : tensor<27x4xui8>
  }
}

// BitcastConvert: to ui16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x2xui16> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x2xui16>
    return %0 : tensor<27x2xui16>
  }
}

// BitcastConvert: to ui32
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xui32> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27xui32>
    return %0 : tensor<27xui32>
  }
}

// BitcastConvert: to ui64
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3xui64> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3x2xf32>) -> tensor<3xui64>
    return %0 : tensor<3xui64>
  }
}

// BitcastConvert: to f4e2m1fn
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x8xf4E2M1FN> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x8xf4E2M1FN>
    return %0 : tensor<27x8xf4E2M1FN>
  }
}

// BitcastConvert: to f8e3m4
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E3M4> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E3M4>
    return %0 : tensor<27x4xf8E3M4>
  }
}

// BitcastConvert: to f8e4m3
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E4M3> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E4M3>
    return %0 : tensor<27x4xf8E4M3>
  }
}

// BitcastConvert: to f8e4m3b11fnuz
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E4M3B11FNUZ> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E4M3B11FNUZ>
    return %0 : tensor<27x4xf8E4M3B11FNUZ>
  }
}

// BitcastConvert: to f8e4m3fn
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E4M3FN> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E4M3FN>
    return %0 : tensor<27x4xf8E4M3FN>
  }
}

// BitcastConvert: to f8e4m3fnuz
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E4M3FNUZ> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E4M3FNUZ>
    return %0 : tensor<27x4xf8E4M3FNUZ>
  }
}

// BitcastConvert: to f8e5m2
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E5M2> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E5M2>
    return %0 : tensor<27x4xf8E5M2>
  }
}

// BitcastConvert: to f8e5m2fnuz
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E5M2FNUZ> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E5M2FNUZ>
    return %0 : tensor<27x4xf8E5M2FNUZ>
  }
}

// BitcastConvert: to f8e8m0fnu
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x4xf8E8M0FNU> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x4xf8E8M0FNU>
    return %0 : tensor<27x4xf8E8M0FNU>
  }
}

// BitcastConvert: to bf16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x2xbf16> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x2xbf16>
    return %0 : tensor<27x2xbf16>
  }
}

// BitcastConvert: to f16
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27x2xf16> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27x2xf16>
    return %0 : tensor<27x2xf16>
  }
}

// BitcastConvert: to f32
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// BitcastConvert: to f64
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3xf64> {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3x2xf32>) -> tensor<3xf64>
    return %0 : tensor<3xf64>
  }
}

// Reshape: flat
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<6xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}

// Reshape: matrix
module {
  func.func public @main(%arg0: tensor<6xf32>) -> tensor<3x1x2xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<6xf32>) -> tensor<3x1x2xf32>
    return %0 : tensor<3x1x2xf32>
  }
}

// Reshape: scalar
module {
  func.func public @main(%arg0: tensor<1x1xf32>) -> tensor<f32> {
    %0 = stablehlo.reshape %arg0 : (tensor<1x1xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Reshape: empty
module {
  func.func public @main(%arg0: tensor<0x2xf32>) -> tensor<3x0xf32> {
    %0 = stablehlo.reshape %arg0 : (tensor<0x2xf32>) -> tensor<3x0xf32>
    return %0 : tensor<3x0xf32>
  }
}

// BroadcastInDim: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// BroadcastInDim: row
module {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// BroadcastInDim: column
module {
  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// BroadcastInDim: length 1
module {
  func.func public @main(%arg0: tensor<1x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// BroadcastInDim: crossed
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}

// BroadcastInDim: empty
module {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Transpose: matrix
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}

// Transpose: rotated
module {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> tensor<4x2x3xf32> {
    %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
    return %0 : tensor<4x2x3xf32>
  }
}

// Transpose: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.transpose %arg0, dims = [] : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Transpose: empty
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<3x0xf32> {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<0x3xf32>) -> tensor<3x0xf32>
    return %0 : tensor<3x0xf32>
  }
}

// Slice: part
module {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.slice %arg0 [1:3, 0:2] : (tensor<4x3xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}

// Slice: strided
module {
  func.func public @main(%arg0: tensor<7x3xf32>) -> tensor<3x1xf32> {
    %0 = stablehlo.slice %arg0 [1:6:2, 0:3:3] : (tensor<7x3xf32>) -> tensor<3x1xf32>
    return %0 : tensor<3x1xf32>
  }
}

// Slice: nothing
module {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<0xf32> {
    %0 = stablehlo.slice %arg0 [2:2] : (tensor<4xf32>) -> tensor<0xf32>
    return %0 : tensor<0xf32>
  }
}

// Slice: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.slice %arg0 [] : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Slice: empty
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x1xf32> {
    %0 = stablehlo.slice %arg0 [0:0, 1:2] : (tensor<0x3xf32>) -> tensor<0x1xf32>
    return %0 : tensor<0x1xf32>
  }
}

// DynamicSlice: inside
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<2x1xf32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 1] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x1xf32>
    return %0 : tensor<2x1xf32>
  }
}

// DynamicSlice: before
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<2x1xf32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 1] : (tensor<3x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x1xf32>
    return %0 : tensor<2x1xf32>
  }
}

// DynamicSlice: beyond
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<i8>, %arg2: tensor<i8>) -> tensor<2x1xf32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 1] : (tensor<3x4xf32>, tensor<i8>, tensor<i8>) -> tensor<2x1xf32>
    return %0 : tensor<2x1xf32>
  }
}

// DynamicSlice: unsigned
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<ui8>, %arg2: tensor<ui8>) -> tensor<2x1xf32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [2, 1] : (tensor<3x4xf32>, tensor<ui8>, tensor<ui8>) -> tensor<2x1xf32>
    return %0 : tensor<2x1xf32>
  }
}

// DynamicSlice: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.dynamic_slice %arg0, sizes = [] : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// DynamicUpdateSlice: inside
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<3x4xf32> {
    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3 : (tensor<3x4xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}

// DynamicUpdateSlice: before
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i64>, %arg3: tensor<i64>) -> tensor<3x4xf32> {
    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3 : (tensor<3x4xf32>, tensor<2x2xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}

// DynamicUpdateSlice: beyond
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<2x2xf32>, %arg2: tensor<i8>, %arg3: tensor<i8>) -> tensor<3x4xf32> {
    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg3 : (tensor<3x4xf32>, tensor<2x2xf32>, tensor<i8>, tensor<i8>) -> tensor<3x4xf32>
    return %0 : tensor<3x4xf32>
  }
}

// DynamicUpdateSlice: nothing
module {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<0xf32>, %arg2: tensor<i32>) -> tensor<3xf32> {
    %0 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2 : (tensor<3xf32>, tensor<0xf32>, tensor<i32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// Gather: rows
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<4xi32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<4x3xf32>, tensor<4xi32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Gather: points
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xi64>) -> tensor<3xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}> : (tensor<4x3xf32>, tensor<3x2xi64>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// Gather: columns
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xui8>) -> tensor<4x2x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 4, 1>, indices_are_sorted = false}> : (tensor<4x3xf32>, tensor<2x2xui8>) -> tensor<4x2x2xf32>
    return %0 : tensor<4x2x2xf32>
  }
}

// Gather: blocks
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xi32>) -> tensor<2x2x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 2>, indices_are_sorted = false}> : (tensor<4x3xf32>, tensor<2x2xi32>) -> tensor<2x2x2xf32>
    return %0 : tensor<2x2x2xf32>
  }
}

// Gather: batched
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x2xi32>) -> tensor<2x2xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = false}> : (tensor<2x3xf32>, tensor<2x2xi32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}

// Gather: nothing
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<0xi32>) -> tensor<0x3xf32> {
    %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false}> : (tensor<4x3xf32>, tensor<0xi32>) -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Scatter: rows
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<4xi32>, %arg2: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<4xi32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: points
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xi64>, %arg2: tensor<3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<3x2xi64>, tensor<3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: columns
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xui8>, %arg2: tensor<4x2x2xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<2x2xui8>, tensor<4x2x2xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: blocks
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<2x2xi32>, %arg2: tensor<2x2x2xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<2x2xi32>, tensor<2x2x2xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: batched
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x2xi32>, %arg2: tensor<2x2xf32>) -> tensor<2x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x3xf32>, tensor<2x2xi32>, tensor<2x2xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Scatter: nothing
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<0xi32>, %arg2: tensor<0x3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<0xi32>, tensor<0x3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: by a region
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3xi32>, %arg2: tensor<3x3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %2, %5 : tensor<i1>, tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<3xi32>, tensor<3x3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: by Add
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.add %1, %2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: by Mul
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.multiply %1, %2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: by Max
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Scatter: by Min
module {
  func.func public @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3x2xi32>, %arg2: tensor<3xf32>) -> tensor<4x3xf32> {
    %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, indices_are_sorted = false, unique_indices = false}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.minimum %1, %2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<3x2xi32>, tensor<3xf32>) -> tensor<4x3xf32>
    return %0 : tensor<4x3xf32>
  }
}

// Concatenate: columns
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x1xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// Concatenate: rows
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<6x3xf32> {
    %0 = stablehlo.concatenate %arg0, %arg1, %arg2, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<6x3xf32>
    return %0 : tensor<6x3xf32>
  }
}

// Concatenate: one
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.concatenate %arg0, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Concatenate: with nothing
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.concatenate %arg0, %arg1, dim = 0 : (tensor<0x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Pad: all round
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> tensor<5x8xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [1, 0], high = [2, 1], interior = [0, 2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x8xf32>
    return %0 : tensor<5x8xf32>
  }
}

// Pad: cut
module {
  func.func public @main(%arg0: tensor<3x3xf32>, %arg1: tensor<f32>) -> tensor<2x3xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [-1, 0], high = [0, -2], interior = [0, 1] : (tensor<3x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Pad: scalar
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Pad: empty
module {
  func.func public @main(%arg0: tensor<0xf32>, %arg1: tensor<f32>) -> tensor<3xf32> {
    %0 = stablehlo.pad %arg0, %arg1, low = [1], high = [2], interior = [3] : (tensor<0xf32>, tensor<f32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// Reverse: rows
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}

// Reverse: both
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1, 0] : tensor<3x2xf32>
    return %0 : tensor<3x2xf32>
  }
}

// Reverse: none
module {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [] : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// Reverse: empty
module {
  func.func public @main(%arg0: tensor<0x2xf32>) -> tensor<0x2xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<0x2xf32>
    return %0 : tensor<0x2xf32>
  }
}

// Neg: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.negate %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Neg: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.negate %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Neg: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.negate %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Neg: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.negate %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Neg: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.negate %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Abs: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.abs %arg0 : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Abs: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.abs %arg0 : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Abs: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.abs %arg0 : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Abs: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.abs %arg0 : (tensor<0x3xf32>) -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Abs: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.abs %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Sign: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.sign %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Sign: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.sign %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Sign: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.sign %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Sign: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.sign %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Sign: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.sign %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Exp: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Exp: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.exponential %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Exp: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Exp: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Exp: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.exponential %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Expm1: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Expm1: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Expm1: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Expm1: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Expm1: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.exponential_minus_one %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Log: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.log %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Log: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.log %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Log: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.log %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Log: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.log %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Log: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.log %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Log1p: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.log_plus_one %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Log1p: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.log_plus_one %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Log1p: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.log_plus_one %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Log1p: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.log_plus_one %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Log1p: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.log_plus_one %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Sqrt: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.sqrt %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Sqrt: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.sqrt %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Sqrt: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.sqrt %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Sqrt: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.sqrt %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Sqrt: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.sqrt %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Rsqrt: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.rsqrt %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Rsqrt: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.rsqrt %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Rsqrt: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.rsqrt %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Rsqrt: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.rsqrt %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Rsqrt: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.rsqrt %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Sin: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.sine %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Sin: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.sine %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Sin: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.sine %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Sin: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.sine %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Sin: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.sine %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Cos: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Cos: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.cosine %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Cos: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Cos: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Cos: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.cosine %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Tan: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.tan %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Tan: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.tan %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Tan: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.tan %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Tan: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.tan %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Tan: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.tan %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Tanh: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Tanh: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.tanh %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Tanh: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Tanh: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Tanh: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.tanh %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Logistic: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Logistic: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.logistic %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Logistic: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Logistic: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Logistic: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Erf: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = chlo.erf %arg0 : tensor<27xf32> -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Erf: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = chlo.erf %arg0 : tensor<f32> -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Erf: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = chlo.erf %arg0 : tensor<1xf32> -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Erf: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = chlo.erf %arg0 : tensor<0x3xf32> -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Erf: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = chlo.erf %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Asinh: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = chlo.asinh %arg0 : tensor<27xf32> -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Asinh: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = chlo.asinh %arg0 : tensor<f32> -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Asinh: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = chlo.asinh %arg0 : tensor<1xf32> -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Asinh: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = chlo.asinh %arg0 : tensor<0x3xf32> -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Asinh: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = chlo.asinh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Acosh: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = chlo.acosh %arg0 : tensor<27xf32> -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Acosh: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = chlo.acosh %arg0 : tensor<f32> -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Acosh: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = chlo.acosh %arg0 : tensor<1xf32> -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Acosh: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = chlo.acosh %arg0 : tensor<0x3xf32> -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Acosh: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = chlo.acosh %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Floor: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.floor %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Floor: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.floor %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Floor: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.floor %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Floor: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.floor %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Floor: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.floor %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Ceil: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.ceil %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Ceil: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.ceil %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Ceil: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.ceil %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Ceil: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.ceil %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Ceil: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.ceil %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// RoundEven: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// RoundEven: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// RoundEven: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// RoundEven: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// RoundEven: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.round_nearest_even %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// RoundAway: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// RoundAway: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// RoundAway: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// RoundAway: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// RoundAway: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.round_nearest_afz %arg0 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Not: awkward
module {
  func.func public @main(%arg0: tensor<18xi32>) -> tensor<18xi32> {
    %0 = stablehlo.not %arg0 : tensor<18xi32>
    return %0 : tensor<18xi32>
  }
}

// Not: {}
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.not %arg0 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// Not: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.not %arg0 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// Not: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.not %arg0 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// Not: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.not %arg0 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// Popcount: awkward
module {
  func.func public @main(%arg0: tensor<18xi32>) -> tensor<18xi32> {
    %0 = stablehlo.popcnt %arg0 : tensor<18xi32>
    return %0 : tensor<18xi32>
  }
}

// Popcount: {}
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.popcnt %arg0 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// Popcount: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.popcnt %arg0 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// Popcount: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.popcnt %arg0 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// Popcount: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.popcnt %arg0 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// Clz: awkward
module {
  func.func public @main(%arg0: tensor<18xi32>) -> tensor<18xi32> {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<18xi32>
    return %0 : tensor<18xi32>
  }
}

// Clz: {}
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// Clz: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// Clz: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// Clz: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.count_leading_zeros %arg0 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// IsFinite: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xi1> {
    %0 = stablehlo.is_finite %arg0 : (tensor<27xf32>) -> tensor<27xi1>
    return %0 : tensor<27xi1>
  }
}

// IsFinite: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.is_finite %arg0 : (tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}

// IsFinite: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xi1> {
    %0 = stablehlo.is_finite %arg0 : (tensor<1xf32>) -> tensor<1xi1>
    return %0 : tensor<1xi1>
  }
}

// IsFinite: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xi1> {
    %0 = stablehlo.is_finite %arg0 : (tensor<0x3xf32>) -> tensor<0x3xi1>
    return %0 : tensor<0x3xi1>
  }
}

// IsFinite: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xi1> {
    %0 = stablehlo.is_finite %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
    return %0 : tensor<2x3xi1>
  }
}

// Real: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.real %arg0 : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Real: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.real %arg0 : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Real: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.real %arg0 : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Real: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.real %arg0 : (tensor<0x3xf32>) -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Real: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.real %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Imag: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.imag %arg0 : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Imag: {}
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.imag %arg0 : (tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// Imag: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.imag %arg0 : (tensor<1xf32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Imag: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.imag %arg0 : (tensor<0x3xf32>) -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Imag: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.imag %arg0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Add: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// Add: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Add: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Add: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Add: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Sub: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// Sub: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Sub: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Sub: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Sub: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.subtract %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Mul: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// Mul: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Mul: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Mul: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Mul: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// MulNoNaN: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<729xf32>
    %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<729xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<729xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<729xi1>, tensor<729xf32>
    return %4 : tensor<729xf32>
  }
}

// MulNoNaN: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<f32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.select %1, %3, %2 : tensor<i1>, tensor<f32>
    return %4 : tensor<f32>
  }
}

// MulNoNaN: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<1xf32>
    %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<1xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<1xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1xi1>, tensor<1xf32>
    return %4 : tensor<1xf32>
  }
}

// MulNoNaN: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.constant dense<> : tensor<0x3xf32>
    %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<0x3xf32>
    %3 = stablehlo.constant dense<> : tensor<0x3xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<0x3xi1>, tensor<0x3xf32>
    return %4 : tensor<0x3xf32>
  }
}

// MulNoNaN: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<2x3xf32>
    %1 = stablehlo.compare EQ, %arg0, %0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.multiply %arg0, %arg1 : tensor<2x3xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<2x3xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<2x3xi1>, tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}

// Div: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// Div: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Div: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Div: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Div: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.divide %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Rem: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// Rem: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Rem: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Rem: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Rem: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.remainder %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Pow: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.power %arg0, %arg1 : tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// Pow: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.power %arg0, %arg1 : tensor<f32>
    return %0 : tensor<f32>
  }
}

// Pow: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.power %arg0, %arg1 : tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// Pow: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.power %arg0, %arg1 : tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// Pow: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.power %arg0, %arg1 : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Max: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<729xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<729xi1>, tensor<729xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<729xi1>, tensor<729xf32>
    return %4 : tensor<729xf32>
  }
}

// Max: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<i1>, tensor<f32>
    return %4 : tensor<f32>
  }
}

// Max: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<1xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<1xi1>, tensor<1xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<1xi1>, tensor<1xf32>
    return %4 : tensor<1xf32>
  }
}

// Max: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<0x3xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<0x3xi1>, tensor<0x3xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<0x3xi1>, tensor<0x3xf32>
    return %4 : tensor<0x3xf32>
  }
}

// Max: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<2x3xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<2x3xi1>, tensor<2x3xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<2x3xi1>, tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}

// Min: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<729xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<729xi1>, tensor<729xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<729xi1>, tensor<729xf32>
    return %4 : tensor<729xf32>
  }
}

// Min: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<i1>, tensor<f32>
    return %4 : tensor<f32>
  }
}

// Min: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<1xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<1xi1>, tensor<1xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<1xi1>, tensor<1xf32>
    return %4 : tensor<1xf32>
  }
}

// Min: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<0x3xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<0x3xi1>, tensor<0x3xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<0x3xi1>, tensor<0x3xf32>
    return %4 : tensor<0x3xf32>
  }
}

// Min: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.minimum %arg0, %arg1 : tensor<2x3xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<2x3xi1>, tensor<2x3xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<2x3xi1>, tensor<2x3xf32>
    return %4 : tensor<2x3xf32>
  }
}

// NextAfter: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xf32> {
    %0 = chlo.next_after %arg0, %arg1 : tensor<729xf32>, tensor<729xf32> -> tensor<729xf32>
    return %0 : tensor<729xf32>
  }
}

// NextAfter: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = chlo.next_after %arg0, %arg1 : tensor<f32>, tensor<f32> -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// NextAfter: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
    %0 = chlo.next_after %arg0, %arg1 : tensor<1xf32>, tensor<1xf32> -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// NextAfter: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = chlo.next_after %arg0, %arg1 : tensor<0x3xf32>, tensor<0x3xf32> -> tensor<0x3xf32>
    return %0 : tensor<0x3xf32>
  }
}

// NextAfter: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = chlo.next_after %arg0, %arg1 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// And: awkward
module {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> tensor<324xi32> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<324xi32>
    return %0 : tensor<324xi32>
  }
}

// And: {}
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// And: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// And: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>, %arg1: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// And: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.and %arg0, %arg1 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// Or: awkward
module {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> tensor<324xi32> {
    %0 = stablehlo.or %arg0, %arg1 : tensor<324xi32>
    return %0 : tensor<324xi32>
  }
}

// Or: {}
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.or %arg0, %arg1 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// Or: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.or %arg0, %arg1 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// Or: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>, %arg1: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.or %arg0, %arg1 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// Or: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.or %arg0, %arg1 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// Xor: awkward
module {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> tensor<324xi32> {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<324xi32>
    return %0 : tensor<324xi32>
  }
}

// Xor: {}
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// Xor: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// Xor: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>, %arg1: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// Xor: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.xor %arg0, %arg1 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// ShiftLeft: awkward
module {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> tensor<324xi32> {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<324xi32>
    return %0 : tensor<324xi32>
  }
}

// ShiftLeft: {}
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// ShiftLeft: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// ShiftLeft: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>, %arg1: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// ShiftLeft: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.shift_left %arg0, %arg1 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// ShiftRightArithmetic: awkward
module {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> tensor<324xi32> {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<324xi32>
    return %0 : tensor<324xi32>
  }
}

// ShiftRightArithmetic: {}
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// ShiftRightArithmetic: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// ShiftRightArithmetic: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>, %arg1: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// ShiftRightArithmetic: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// ShiftRightLogical: awkward
module {
  func.func public @main(%arg0: tensor<324xi32>, %arg1: tensor<324xi32>) -> tensor<324xi32> {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<324xi32>
    return %0 : tensor<324xi32>
  }
}

// ShiftRightLogical: {}
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<i32>
    return %0 : tensor<i32>
  }
}

// ShiftRightLogical: {1}
module {
  func.func public @main(%arg0: tensor<1xi32>, %arg1: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}

// ShiftRightLogical: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi32>, %arg1: tensor<0x3xi32>) -> tensor<0x3xi32> {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<0x3xi32>
    return %0 : tensor<0x3xi32>
  }
}

// ShiftRightLogical: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<2x3xi32>
    return %0 : tensor<2x3xi32>
  }
}

// Complex: awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xcomplex<f32>> {
    %0 = stablehlo.complex %arg0, %arg1 : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xcomplex<f32>>
    return %0 : tensor<729xcomplex<f32>>
  }
}

// Complex: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<complex<f32>> {
    %0 = stablehlo.complex %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<complex<f32>>
    return %0 : tensor<complex<f32>>
  }
}

// Complex: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xcomplex<f32>> {
    %0 = stablehlo.complex %arg0, %arg1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xcomplex<f32>>
    return %0 : tensor<1xcomplex<f32>>
  }
}

// Complex: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xcomplex<f32>> {
    %0 = stablehlo.complex %arg0, %arg1 : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xcomplex<f32>>
    return %0 : tensor<0x3xcomplex<f32>>
  }
}

// Complex: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>> {
    %0 = stablehlo.complex %arg0, %arg1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xcomplex<f32>>
    return %0 : tensor<2x3xcomplex<f32>>
  }
}

// Compare: EQ awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xi1> {
    %0 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    return %0 : tensor<729xi1>
  }
}

// Compare: EQ {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<i1> {
    %0 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    return %0 : tensor<i1>
  }
}

// Compare: EQ {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xi1> {
    %0 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    return %0 : tensor<1xi1>
  }
}

// Compare: EQ {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>) -> tensor<0x3xi1> {
    %0 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    return %0 : tensor<0x3xi1>
  }
}

// Compare: EQ {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>) -> tensor<2x3xi1> {
    %0 = stablehlo.compare EQ, %arg0, %arg1, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    return %0 : tensor<2x3xi1>
  }
}

// Compare: NE awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xi1> {
    %0 = stablehlo.compare NE, %arg0, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    return %0 : tensor<729xi1>
  }
}

// Compare: LT awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xi1> {
    %0 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    return %0 : tensor<729xi1>
  }
}

// Compare: LE awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xi1> {
    %0 = stablehlo.compare LE, %arg0, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    return %0 : tensor<729xi1>
  }
}

// Compare: GT awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xi1> {
    %0 = stablehlo.compare GT, %arg0, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    return %0 : tensor<729xi1>
  }
}

// Compare: GE awkward
module {
  func.func public @main(%arg0: tensor<729xf32>, %arg1: tensor<729xf32>) -> tensor<729xi1> {
    %0 = stablehlo.compare GE, %arg0, %arg1, FLOAT : (tensor<729xf32>, tensor<729xf32>) -> tensor<729xi1>
    return %0 : tensor<729xi1>
  }
}

// Select: awkward
module {
  func.func public @main(%arg0: tensor<4xi1>, %arg1: tensor<4xi1>, %arg2: tensor<4xi1>) -> tensor<4xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4xi1>, tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}

// Select: {}
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<i1>, %arg2: tensor<i1>) -> tensor<i1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i1>
    return %0 : tensor<i1>
  }
}

// Select: {1}
module {
  func.func public @main(%arg0: tensor<1xi1>, %arg1: tensor<1xi1>, %arg2: tensor<1xi1>) -> tensor<1xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1xi1>, tensor<1xi1>
    return %0 : tensor<1xi1>
  }
}

// Select: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xi1>, %arg1: tensor<0x3xi1>, %arg2: tensor<0x3xi1>) -> tensor<0x3xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<0x3xi1>, tensor<0x3xi1>
    return %0 : tensor<0x3xi1>
  }
}

// Select: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xi1>, %arg2: tensor<2x3xi1>) -> tensor<2x3xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<2x3xi1>, tensor<2x3xi1>
    return %0 : tensor<2x3xi1>
  }
}

// Select: scalar pred
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<2x2xi1>, %arg2: tensor<2x2xi1>) -> tensor<2x2xi1> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<2x2xi1>
    return %0 : tensor<2x2xi1>
  }
}

// Clamp: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>, %arg1: tensor<27xf32>, %arg2: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<27xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<27xf32>, tensor<27xf32>) -> tensor<27xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<27xi1>, tensor<27xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<27xf32>, tensor<27xf32>) -> tensor<27xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<27xi1>, tensor<27xf32>
    %5 = stablehlo.minimum %arg2, %4 : tensor<27xf32>
    %6 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<27xf32>, tensor<27xf32>) -> tensor<27xi1>
    %7 = stablehlo.select %6, %arg2, %5 : tensor<27xi1>, tensor<27xf32>
    %8 = stablehlo.compare NE, %4, %4, FLOAT : (tensor<27xf32>, tensor<27xf32>) -> tensor<27xi1>
    %9 = stablehlo.select %8, %4, %7 : tensor<27xi1>, tensor<27xf32>
    return %9 : tensor<27xf32>
  }
}

// Clamp: {}
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<f32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.minimum %arg2, %4 : tensor<f32>
    %6 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.select %6, %arg2, %5 : tensor<i1>, tensor<f32>
    %8 = stablehlo.compare NE, %4, %4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %9 = stablehlo.select %8, %4, %7 : tensor<i1>, tensor<f32>
    return %9 : tensor<f32>
  }
}

// Clamp: {1}
module {
  func.func public @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>, %arg2: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<1xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<1xi1>, tensor<1xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<1xi1>, tensor<1xf32>
    %5 = stablehlo.minimum %arg2, %4 : tensor<1xf32>
    %6 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %7 = stablehlo.select %6, %arg2, %5 : tensor<1xi1>, tensor<1xf32>
    %8 = stablehlo.compare NE, %4, %4, FLOAT : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xi1>
    %9 = stablehlo.select %8, %4, %7 : tensor<1xi1>, tensor<1xf32>
    return %9 : tensor<1xf32>
  }
}

// Clamp: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<0x3xf32>, %arg2: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<0x3xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<0x3xi1>, tensor<0x3xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<0x3xi1>, tensor<0x3xf32>
    %5 = stablehlo.minimum %arg2, %4 : tensor<0x3xf32>
    %6 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %7 = stablehlo.select %6, %arg2, %5 : tensor<0x3xi1>, tensor<0x3xf32>
    %8 = stablehlo.compare NE, %4, %4, FLOAT : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xi1>
    %9 = stablehlo.select %8, %4, %7 : tensor<0x3xi1>, tensor<0x3xf32>
    return %9 : tensor<0x3xf32>
  }
}

// Clamp: {2,3}
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.maximum %arg0, %arg1 : tensor<2x3xf32>
    %1 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %2 = stablehlo.select %1, %arg0, %0 : tensor<2x3xi1>, tensor<2x3xf32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %4 = stablehlo.select %3, %arg1, %2 : tensor<2x3xi1>, tensor<2x3xf32>
    %5 = stablehlo.minimum %arg2, %4 : tensor<2x3xf32>
    %6 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %7 = stablehlo.select %6, %arg2, %5 : tensor<2x3xi1>, tensor<2x3xf32>
    %8 = stablehlo.compare NE, %4, %4, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
    %9 = stablehlo.select %8, %4, %7 : tensor<2x3xi1>, tensor<2x3xf32>
    return %9 : tensor<2x3xf32>
  }
}

// ReduceSum: rows
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<3xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}

// ReduceSum: columns
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// ReduceSum: all
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceSum: middle
module {
  func.func public @main(%arg0: tensor<2x3x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [1] : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}

// ReduceSum: no axes
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}

// ReduceSum: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceSum: empty
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}

// ReduceSum: size 1
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceSum: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.add across dimensions = [] : (tensor<27xf32>, tensor<f32>) -> tensor<27xf32>
    return %1 : tensor<27xf32>
  }
}

// ReduceProd: rows
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<3xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}

// ReduceProd: columns
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// ReduceProd: all
module {
  func.func public @main(%arg0: tensor<3x4xf32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceProd: middle
module {
  func.func public @main(%arg0: tensor<2x3x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [1] : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}

// ReduceProd: no axes
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}

// ReduceProd: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceProd: empty
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
    return %1 : tensor<3xf32>
  }
}

// ReduceProd: size 1
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [0] : (tensor<1xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceProd: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.multiply across dimensions = [] : (tensor<27xf32>, tensor<f32>) -> tensor<27xf32>
    return %1 : tensor<27xf32>
  }
}

// ReduceAnd: rows
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<3xi32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}

// ReduceAnd: columns
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}

// ReduceAnd: all
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [0, 1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceAnd: middle
module {
  func.func public @main(%arg0: tensor<2x3x2xi32>) -> tensor<2x2xi32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [1] : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
    return %1 : tensor<2x2xi32>
  }
}

// ReduceAnd: no axes
module {
  func.func public @main(%arg0: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
    return %1 : tensor<2x3xi32>
  }
}

// ReduceAnd: scalar
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceAnd: empty
module {
  func.func public @main(%arg0: tensor<0x3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [0] : (tensor<0x3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}

// ReduceAnd: size 1
module {
  func.func public @main(%arg0: tensor<1xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceAnd: awkward
module {
  func.func public @main(%arg0: tensor<18xi32>) -> tensor<18xi32> {
    %0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.and across dimensions = [] : (tensor<18xi32>, tensor<i32>) -> tensor<18xi32>
    return %1 : tensor<18xi32>
  }
}

// ReduceOr: rows
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<3xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}

// ReduceOr: columns
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}

// ReduceOr: all
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [0, 1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceOr: middle
module {
  func.func public @main(%arg0: tensor<2x3x2xi32>) -> tensor<2x2xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [1] : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
    return %1 : tensor<2x2xi32>
  }
}

// ReduceOr: no axes
module {
  func.func public @main(%arg0: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
    return %1 : tensor<2x3xi32>
  }
}

// ReduceOr: scalar
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceOr: empty
module {
  func.func public @main(%arg0: tensor<0x3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [0] : (tensor<0x3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}

// ReduceOr: size 1
module {
  func.func public @main(%arg0: tensor<1xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceOr: awkward
module {
  func.func public @main(%arg0: tensor<18xi32>) -> tensor<18xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.or across dimensions = [] : (tensor<18xi32>, tensor<i32>) -> tensor<18xi32>
    return %1 : tensor<18xi32>
  }
}

// ReduceXor: rows
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<3xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}

// ReduceXor: columns
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<4xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [0] : (tensor<3x4xi32>, tensor<i32>) -> tensor<4xi32>
    return %1 : tensor<4xi32>
  }
}

// ReduceXor: all
module {
  func.func public @main(%arg0: tensor<3x4xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [0, 1] : (tensor<3x4xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceXor: middle
module {
  func.func public @main(%arg0: tensor<2x3x2xi32>) -> tensor<2x2xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [1] : (tensor<2x3x2xi32>, tensor<i32>) -> tensor<2x2xi32>
    return %1 : tensor<2x2xi32>
  }
}

// ReduceXor: no axes
module {
  func.func public @main(%arg0: tensor<2x3xi32>) -> tensor<2x3xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [] : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
    return %1 : tensor<2x3xi32>
  }
}

// ReduceXor: scalar
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceXor: empty
module {
  func.func public @main(%arg0: tensor<0x3xi32>) -> tensor<3xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [0] : (tensor<0x3xi32>, tensor<i32>) -> tensor<3xi32>
    return %1 : tensor<3xi32>
  }
}

// ReduceXor: size 1
module {
  func.func public @main(%arg0: tensor<1xi32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [0] : (tensor<1xi32>, tensor<i32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
}

// ReduceXor: awkward
module {
  func.func public @main(%arg0: tensor<18xi32>) -> tensor<18xi32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %0) applies stablehlo.xor across dimensions = [] : (tensor<18xi32>, tensor<i32>) -> tensor<18xi32>
    return %1 : tensor<18xi32>
  }
}

// Reduce: rows
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) -> tensor<3xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
     reducer(%1: tensor<f32>, %2: tensor<f32>) {
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %2, %5 : tensor<i1>, tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }
    return %0 : tensor<3xf32>
  }
}

// Reduce: all
module {
  func.func public @main(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%1: tensor<f32>, %2: tensor<f32>) {
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %2, %5 : tensor<i1>, tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }
    return %0 : tensor<f32>
  }
}

// Reduce: no axes
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) -> tensor<2x3xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
     reducer(%1: tensor<f32>, %2: tensor<f32>) {
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %2, %5 : tensor<i1>, tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }
    return %0 : tensor<2x3xf32>
  }
}

// Reduce: scalar
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
     reducer(%1: tensor<f32>, %2: tensor<f32>) {
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %2, %5 : tensor<i1>, tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }
    return %0 : tensor<f32>
  }
}

// Reduce: empty
module {
  func.func public @main(%arg0: tensor<0x3xf32>, %arg1: tensor<f32>) -> tensor<3xf32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<3xf32>
     reducer(%1: tensor<f32>, %2: tensor<f32>) {
      %3 = stablehlo.maximum %1, %2 : tensor<f32>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.select %4, %1, %3 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.select %6, %2, %5 : tensor<i1>, tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }
    return %0 : tensor<3xf32>
  }
}

// DotGeneral: matrices
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// DotGeneral: matrix and vector
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> tensor<2xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// DotGeneral: vectors
module {
  func.func public @main(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// DotGeneral: outer
module {
  func.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [], precision = [HIGHEST, HIGHEST] : (tensor<2xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// DotGeneral: scalars
module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [] x [], precision = [HIGHEST, HIGHEST] : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// DotGeneral: batch
module {
  func.func public @main(%arg0: tensor<2x3x4xf32>, %arg1: tensor<4x2x5xf32>) -> tensor<2x3x5xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> tensor<2x3x5xf32>
    return %0 : tensor<2x3x5xf32>
  }
}

// DotGeneral: two axes
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 1] x [1, 0], precision = [HIGHEST, HIGHEST] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<f32>
    return %0 : tensor<f32>
  }
}

// DotGeneral: empty sum
module {
  func.func public @main(%arg0: tensor<2x0xf32>, %arg1: tensor<0x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// DotGeneral: default precision
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}

// Sort: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.compare LT, %1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.not %4 : tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %3, %7 : tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Sort: columns
module {
  func.func public @main(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.compare LT, %1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.not %4 : tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %3, %7 : tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    return %0 : tensor<3x7xf32>
  }
}

// Sort: with positions
module {
  func.func public @main(%arg0: tensor<3x7xf32>, %arg1: tensor<3x7xi32>) -> (tensor<3x7xf32>, tensor<3x7xi32>) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>, %3: tensor<i32>, %4: tensor<i32>):
      %5 = stablehlo.compare LT, %1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.not %6 : tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %5, %9 : tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<3x7xf32>, tensor<3x7xi32>) -> (tensor<3x7xf32>, tensor<3x7xi32>)
    return %0#0, %0#1 : tensor<3x7xf32>, tensor<3x7xi32>
  }
}

// Sort: empty
module {
  func.func public @main(%arg0: tensor<0xf32>) -> tensor<0xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.compare LT, %1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.not %4 : tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %3, %7 : tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<0xf32>) -> tensor<0xf32>
    return %0 : tensor<0xf32>
  }
}

// Sort: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<27xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.compare LT, %2, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.not %4 : tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %3, %7 : tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<27xf32>) -> tensor<27xf32>
    return %0 : tensor<27xf32>
  }
}

// Sort: columns
module {
  func.func public @main(%arg0: tensor<3x7xf32>) -> tensor<3x7xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.compare LT, %2, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.not %4 : tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %3, %7 : tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<3x7xf32>) -> tensor<3x7xf32>
    return %0 : tensor<3x7xf32>
  }
}

// Sort: with positions
module {
  func.func public @main(%arg0: tensor<3x7xf32>, %arg1: tensor<3x7xi32>) -> (tensor<3x7xf32>, tensor<3x7xi32>) {
    %0:2 = "stablehlo.sort"(%arg0, %arg1) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>, %3: tensor<i32>, %4: tensor<i32>):
      %5 = stablehlo.compare LT, %2, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %7 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.not %6 : tensor<i1>
      %9 = stablehlo.and %7, %8 : tensor<i1>
      %10 = stablehlo.or %5, %9 : tensor<i1>
      stablehlo.return %10 : tensor<i1>
    }) : (tensor<3x7xf32>, tensor<3x7xi32>) -> (tensor<3x7xf32>, tensor<3x7xi32>)
    return %0#0, %0#1 : tensor<3x7xf32>, tensor<3x7xi32>
  }
}

// Sort: empty
module {
  func.func public @main(%arg0: tensor<0xf32>) -> tensor<0xf32> {
    %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%1: tensor<f32>, %2: tensor<f32>):
      %3 = stablehlo.compare LT, %2, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.not %4 : tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %3, %7 : tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<0xf32>) -> tensor<0xf32>
    return %0 : tensor<0xf32>
  }
}

// Convolution: plain
module {
  func.func public @main(%arg0: tensor<2x5x3xf32>, %arg1: tensor<2x3x4xf32>) -> tensor<2x4x4xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x5x3xf32>, tensor<2x3x4xf32>) -> tensor<2x4x4xf32>
    return %0 : tensor<2x4x4xf32>
  }
}

// Convolution: volume
module {
  func.func public @main(%arg0: tensor<1x3x2x3x2xf32>, %arg1: tensor<2x2x1x2x2xf32>) -> tensor<1x2x1x3x2xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, 2, f]x[0, 1, 2, i, o]->[b, 0, 1, 2, f], window = {stride = [1, 1, 1], pad = [[0, 0], [0, 0], [0, 0]], lhs_dilate = [1, 1, 1], rhs_dilate = [1, 1, 1], reverse = [false, false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x3x2x3x2xf32>, tensor<2x2x1x2x2xf32>) -> tensor<1x2x1x3x2xf32>
    return %0 : tensor<1x2x1x3x2xf32>
  }
}

// Convolution: strided
module {
  func.func public @main(%arg0: tensor<2x4x5x2xf32>, %arg1: tensor<2x3x2x3xf32>) -> tensor<2x2x5x3xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x4x5x2xf32>, tensor<2x3x2x3xf32>) -> tensor<2x2x5x3xf32>
    return %0 : tensor<2x2x5x3xf32>
  }
}

// Convolution: dilated
module {
  func.func public @main(%arg0: tensor<1x3x5x2xf32>, %arg1: tensor<2x2x2x3xf32>) -> tensor<1x3x4x3xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-1, 0], [1, 0]], lhs_dilate = [2, 1], rhs_dilate = [1, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x3x5x2xf32>, tensor<2x2x2x3xf32>) -> tensor<1x3x4x3xf32>
    return %0 : tensor<1x3x4x3xf32>
  }
}

// Convolution: grouped
module {
  func.func public @main(%arg0: tensor<2x4x4xf32>, %arg1: tensor<2x2x6xf32>) -> tensor<2x3x6xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x4x4xf32>, tensor<2x2x6xf32>) -> tensor<2x3x6xf32>
    return %0 : tensor<2x3x6xf32>
  }
}

// Convolution: batch groups
module {
  func.func public @main(%arg0: tensor<4x4x3xf32>, %arg1: tensor<2x3x6xf32>) -> tensor<2x3x6xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 2 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<4x4x3xf32>, tensor<2x3x6xf32>) -> tensor<2x3x6xf32>
    return %0 : tensor<2x3x6xf32>
  }
}

// Convolution: reversed
module {
  func.func public @main(%arg0: tensor<1x3x4x2xf32>, %arg1: tensor<2x2x2x1xf32>) -> tensor<1x2x3x1xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<1x3x4x2xf32>, tensor<2x2x2x1xf32>) -> tensor<1x2x3x1xf32>
    return %0 : tensor<1x2x3x1xf32>
  }
}

// Convolution: features first
module {
  func.func public @main(%arg0: tensor<2x3x4x4xf32>, %arg1: tensor<2x3x2x3xf32>) -> tensor<2x3x2x2xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[f, 0, 1, b], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x3x4x4xf32>, tensor<2x3x2x3xf32>) -> tensor<2x3x2x2xf32>
    return %0 : tensor<2x3x2x2xf32>
  }
}

// Convolution: no batch
module {
  func.func public @main(%arg0: tensor<0x5x3xf32>, %arg1: tensor<2x3x4xf32>) -> tensor<0x4x4xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<0x5x3xf32>, tensor<2x3x4xf32>) -> tensor<0x4x4xf32>
    return %0 : tensor<0x4x4xf32>
  }
}

// Convolution: no features
module {
  func.func public @main(%arg0: tensor<2x5x0xf32>, %arg1: tensor<2x0x4xf32>) -> tensor<2x4x4xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x5x0xf32>, tensor<2x0x4xf32>) -> tensor<2x4x4xf32>
    return %0 : tensor<2x4x4xf32>
  }
}

// Convolution: too wide
module {
  func.func public @main(%arg0: tensor<2x2x3xf32>, %arg1: tensor<3x3x4xf32>) -> tensor<2x0x4xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x2x3xf32>, tensor<3x3x4xf32>) -> tensor<2x0x4xf32>
    return %0 : tensor<2x0x4xf32>
  }
}

// Convolution: no space
module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>) -> tensor<2x4xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f]x[i, o]->[b, f], window = {stride = [], pad = [], lhs_dilate = [], rhs_dilate = [], reverse = []} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision HIGHEST>]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// ReduceWindowSum: strided
module {
  func.func public @main(%arg0: tensor<3x5xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.add %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}

// ReduceWindowSum: spread
module {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 3>, window_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.add %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    return %1 : tensor<3x6xf32>
  }
}

// ReduceWindowSum: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<26xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.add %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<27xf32>, tensor<f32>) -> tensor<26xf32>
    return %1 : tensor<26xf32>
  }
}

// ReduceWindowProd: strided
module {
  func.func public @main(%arg0: tensor<3x5xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.multiply %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}

// ReduceWindowProd: spread
module {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 3>, window_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.multiply %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    return %1 : tensor<3x6xf32>
  }
}

// ReduceWindowProd: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<26xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.multiply %2, %3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<27xf32>, tensor<f32>) -> tensor<26xf32>
    return %1 : tensor<26xf32>
  }
}

// ReduceWindowMax: strided
module {
  func.func public @main(%arg0: tensor<3x5xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}

// ReduceWindowMax: spread
module {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 3>, window_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    return %1 : tensor<3x6xf32>
  }
}

// ReduceWindowMax: cut
module {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<2x2xf32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[-1, 0], [0, -1]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<2x2xf32>
    return %1 : tensor<2x2xf32>
  }
}

// ReduceWindowMax: too wide
module {
  func.func public @main(%arg0: tensor<3xf32>) -> tensor<0xf32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 4>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
    return %1 : tensor<0xf32>
  }
}

// ReduceWindowMax: empty
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 1, 1>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x3xf32>
    return %1 : tensor<0x3xf32>
  }
}

// ReduceWindowMax: scalar
module {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64>, window_strides = array<i64>, base_dilations = array<i64>, window_dilations = array<i64>, padding = dense<> : tensor<0x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}

// ReduceWindowMax: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<26xf32> {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.maximum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<27xf32>, tensor<f32>) -> tensor<26xf32>
    return %1 : tensor<26xf32>
  }
}

// ReduceWindowMin: strided
module {
  func.func public @main(%arg0: tensor<3x5xf32>) -> tensor<3x3xf32> {
    %0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 1, 2>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 1>, padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.minimum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<3x5xf32>, tensor<f32>) -> tensor<3x3xf32>
    return %1 : tensor<3x3xf32>
  }
}

// ReduceWindowMin: spread
module {
  func.func public @main(%arg0: tensor<4x3xf32>) -> tensor<3x6xf32> {
    %0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>, base_dilations = array<i64: 1, 3>, window_dilations = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.minimum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<4x3xf32>, tensor<f32>) -> tensor<3x6xf32>
    return %1 : tensor<3x6xf32>
  }
}

// ReduceWindowMin: awkward
module {
  func.func public @main(%arg0: tensor<27xf32>) -> tensor<26xf32> {
    %0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 1>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
    ^bb0(%2: tensor<f32>, %3: tensor<f32>):
      %4 = stablehlo.minimum %2, %3 : tensor<f32>
      %5 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.select %5, %2, %4 : tensor<i1>, tensor<f32>
      %7 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.select %7, %3, %6 : tensor<i1>, tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<27xf32>, tensor<f32>) -> tensor<26xf32>
    return %1 : tensor<26xf32>
  }
}

// FFT: power
module {
  func.func public @main(%arg0: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    return %0 : tensor<2x8xcomplex<f32>>
  }
}

// FFT: prime
module {
  func.func public @main(%arg0: tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [7] : (tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>
    return %0 : tensor<7xcomplex<f32>>
  }
}

// FFT: product
module {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
    return %0 : tensor<12xcomplex<f32>>
  }
}

// FFT: one
module {
  func.func public @main(%arg0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [1] : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
    return %0 : tensor<1xcomplex<f32>>
  }
}

// FFT: two
module {
  func.func public @main(%arg0: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    return %0 : tensor<2xcomplex<f32>>
  }
}

// FFT: plane
module {
  func.func public @main(%arg0: tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [3, 4] : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    return %0 : tensor<2x3x4xcomplex<f32>>
  }
}

// FFT: space
module {
  func.func public @main(%arg0: tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [2, 3, 5] : (tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>>
    return %0 : tensor<2x3x5xcomplex<f32>>
  }
}

// FFT: no lanes
module {
  func.func public @main(%arg0: tensor<0x4xcomplex<f32>>) -> tensor<0x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4] : (tensor<0x4xcomplex<f32>>) -> tensor<0x4xcomplex<f32>>
    return %0 : tensor<0x4xcomplex<f32>>
  }
}

// IFFT: power
module {
  func.func public @main(%arg0: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [8] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    return %0 : tensor<2x8xcomplex<f32>>
  }
}

// IFFT: prime
module {
  func.func public @main(%arg0: tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [7] : (tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>
    return %0 : tensor<7xcomplex<f32>>
  }
}

// IFFT: product
module {
  func.func public @main(%arg0: tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [12] : (tensor<12xcomplex<f32>>) -> tensor<12xcomplex<f32>>
    return %0 : tensor<12xcomplex<f32>>
  }
}

// IFFT: one
module {
  func.func public @main(%arg0: tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [1] : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
    return %0 : tensor<1xcomplex<f32>>
  }
}

// IFFT: two
module {
  func.func public @main(%arg0: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    return %0 : tensor<2xcomplex<f32>>
  }
}

// IFFT: plane
module {
  func.func public @main(%arg0: tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [3, 4] : (tensor<2x3x4xcomplex<f32>>) -> tensor<2x3x4xcomplex<f32>>
    return %0 : tensor<2x3x4xcomplex<f32>>
  }
}

// IFFT: space
module {
  func.func public @main(%arg0: tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [2, 3, 5] : (tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>>
    return %0 : tensor<2x3x5xcomplex<f32>>
  }
}

// IFFT: no lanes
module {
  func.func public @main(%arg0: tensor<0x4xcomplex<f32>>) -> tensor<0x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [4] : (tensor<0x4xcomplex<f32>>) -> tensor<0x4xcomplex<f32>>
    return %0 : tensor<0x4xcomplex<f32>>
  }
}

// RFFT: power
module {
  func.func public @main(%arg0: tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [8] : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    return %0 : tensor<2x5xcomplex<f32>>
  }
}

// RFFT: prime
module {
  func.func public @main(%arg0: tensor<7xf32>) -> tensor<4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [7] : (tensor<7xf32>) -> tensor<4xcomplex<f32>>
    return %0 : tensor<4xcomplex<f32>>
  }
}

// RFFT: product
module {
  func.func public @main(%arg0: tensor<12xf32>) -> tensor<7xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [12] : (tensor<12xf32>) -> tensor<7xcomplex<f32>>
    return %0 : tensor<7xcomplex<f32>>
  }
}

// RFFT: one
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [1] : (tensor<1xf32>) -> tensor<1xcomplex<f32>>
    return %0 : tensor<1xcomplex<f32>>
  }
}

// RFFT: two
module {
  func.func public @main(%arg0: tensor<2xf32>) -> tensor<2xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [2] : (tensor<2xf32>) -> tensor<2xcomplex<f32>>
    return %0 : tensor<2xcomplex<f32>>
  }
}

// RFFT: plane
module {
  func.func public @main(%arg0: tensor<2x3x4xf32>) -> tensor<2x3x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [3, 4] : (tensor<2x3x4xf32>) -> tensor<2x3x3xcomplex<f32>>
    return %0 : tensor<2x3x3xcomplex<f32>>
  }
}

// RFFT: space
module {
  func.func public @main(%arg0: tensor<2x3x5xf32>) -> tensor<2x3x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [2, 3, 5] : (tensor<2x3x5xf32>) -> tensor<2x3x3xcomplex<f32>>
    return %0 : tensor<2x3x3xcomplex<f32>>
  }
}

// RFFT: no lanes
module {
  func.func public @main(%arg0: tensor<0x4xf32>) -> tensor<0x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4] : (tensor<0x4xf32>) -> tensor<0x3xcomplex<f32>>
    return %0 : tensor<0x3xcomplex<f32>>
  }
}

// IRFFT: power
module {
  func.func public @main(%arg0: tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [8] : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    return %0 : tensor<2x8xf32>
  }
}

// IRFFT: prime
module {
  func.func public @main(%arg0: tensor<4xcomplex<f32>>) -> tensor<7xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [7] : (tensor<4xcomplex<f32>>) -> tensor<7xf32>
    return %0 : tensor<7xf32>
  }
}

// IRFFT: product
module {
  func.func public @main(%arg0: tensor<7xcomplex<f32>>) -> tensor<12xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [12] : (tensor<7xcomplex<f32>>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
}

// IRFFT: one
module {
  func.func public @main(%arg0: tensor<1xcomplex<f32>>) -> tensor<1xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [1] : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}

// IRFFT: two
module {
  func.func public @main(%arg0: tensor<2xcomplex<f32>>) -> tensor<2xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// IRFFT: plane
module {
  func.func public @main(%arg0: tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x4xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [3, 4] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x4xf32>
    return %0 : tensor<2x3x4xf32>
  }
}

// IRFFT: space
module {
  func.func public @main(%arg0: tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x5xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [2, 3, 5] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x5xf32>
    return %0 : tensor<2x3x5xf32>
  }
}

// IRFFT: no lanes
module {
  func.func public @main(%arg0: tensor<0x3xcomplex<f32>>) -> tensor<0x4xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [4] : (tensor<0x3xcomplex<f32>>) -> tensor<0x4xf32>
    return %0 : tensor<0x4xf32>
  }
}

// Cholesky: {0,0}
module {
  func.func public @main(%arg0: tensor<0x0xf32>) -> tensor<0x0xf32> {
    %0 = stablehlo.cholesky %arg0, lower = true : tensor<0x0xf32>
    return %0 : tensor<0x0xf32>
  }
}

// Cholesky: {0,2,2}
module {
  func.func public @main(%arg0: tensor<0x2x2xf32>) -> tensor<0x2x2xf32> {
    %0 = stablehlo.cholesky %arg0, lower = true : tensor<0x2x2xf32>
    return %0 : tensor<0x2x2xf32>
  }
}

// TriangularSolve: {0,2}
module {
  func.func public @main(%arg0: tensor<0x0xf32>, %arg1: tensor<0x2xf32>) -> tensor<0x2xf32> {
    return %arg1 : tensor<0x2xf32>
  }
}

// TriangularSolve: {3,0}
module {
  func.func public @main(%arg0: tensor<3x3xf32>, %arg1: tensor<3x0xf32>) -> tensor<3x0xf32> {
    return %arg1 : tensor<3x0xf32>
  }
}

// LU: {0,3}
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> (tensor<0x3xf32>, tensor<0xi32>, tensor<0xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<0xi32>
    %1 = stablehlo.constant dense<> : tensor<0xi32>
    return %arg0, %1, %0 : tensor<0x3xf32>, tensor<0xi32>, tensor<0xi32>
  }
}

// LU: {2,3,0}
module {
  func.func public @main(%arg0: tensor<2x3x0xf32>) -> (tensor<2x3x0xf32>, tensor<2x0xi32>, tensor<2x3xi32>) {
    %0 = stablehlo.iota dim = 0 : tensor<3xi32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1] : (tensor<3xi32>) -> tensor<2x3xi32>
    %2 = stablehlo.constant dense<> : tensor<2x0xi32>
    return %arg0, %2, %1 : tensor<2x3x0xf32>, tensor<2x0xi32>, tensor<2x3xi32>
  }
}

// QR: {0,2}
module {
  func.func public @main(%arg0: tensor<0x2xf32>) -> (tensor<0x0xf32>, tensor<0x2xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<0x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x0xi32>
    %2 = stablehlo.reshape %0 : (tensor<0x1xi32>) -> tensor<0xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<0xi32>) -> tensor<0x0xi32>
    %4 = stablehlo.reshape %1 : (tensor<1x0xi32>) -> tensor<0xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<0xi32>) -> tensor<0x0xi32>
    %6 = stablehlo.compare EQ, %3, %5, SIGNED : (tensor<0x0xi32>, tensor<0x0xi32>) -> tensor<0x0xi1>
    %7 = stablehlo.convert %6 : (tensor<0x0xi1>) -> tensor<0x0xf32>
    %8 = stablehlo.constant dense<> : tensor<0x2xf32>
    return %7, %8 : tensor<0x0xf32>, tensor<0x2xf32>
  }
}

// QR: {1,1}
module {
  func.func public @main(%arg0: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xf32>) {
    %0:2 = stablehlo.custom_call @Qr(%arg0) : (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1xf32>)
    %1 = stablehlo.iota dim = 0 : tensor<1x1xi32>
    %2 = stablehlo.iota dim = 1 : tensor<1x1xi32>
    %3 = stablehlo.compare LE, %1, %2, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
    %4 = stablehlo.constant dense<0.0> : tensor<1x1xf32>
    %5 = stablehlo.select %3, %0#0, %4 : tensor<1x1xi1>, tensor<1x1xf32>
    %6 = stablehlo.reshape %0#1 : (tensor<1xf32>) -> tensor<1x1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x1xf32>) -> tensor<1xf32>
    %8 = stablehlo.custom_call @ProductOfElementaryHouseholderReflectors(%0#0, %7) : (tensor<1x1xf32>, tensor<1xf32>) -> tensor<1x1xf32>
    return %8, %5 : tensor<1x1xf32>, tensor<1x1xf32>
  }
}

// QR: {2,0}
module {
  func.func public @main(%arg0: tensor<2x0xf32>) -> (tensor<2x2xf32>, tensor<2x0xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<2x1xi32>
    %1 = stablehlo.iota dim = 1 : tensor<1x2xi32>
    %2 = stablehlo.reshape %0 : (tensor<2x1xi32>) -> tensor<2xi32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi32>) -> tensor<2x2xi32>
    %4 = stablehlo.reshape %1 : (tensor<1x2xi32>) -> tensor<2xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<2xi32>) -> tensor<2x2xi32>
    %6 = stablehlo.compare EQ, %3, %5, SIGNED : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi1>
    %7 = stablehlo.convert %6 : (tensor<2x2xi1>) -> tensor<2x2xf32>
    %8 = stablehlo.constant dense<> : tensor<2x0xf32>
    return %7, %8 : tensor<2x2xf32>, tensor<2x0xf32>
  }
}

// Eigh: {0,0}
module {
  func.func public @main(%arg0: tensor<0x0xf32>) -> (tensor<0xf32>, tensor<0x0xf32>) {
    %0 = stablehlo.constant dense<> : tensor<0xf32>
    return %0, %arg0 : tensor<0xf32>, tensor<0x0xf32>
  }
}

// If: true
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<2xi1>, %arg2: tensor<2xi1>) -> tensor<2xi1> {
    %0 = "stablehlo.if"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi1>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi1>
      stablehlo.return %1 : tensor<2xi1>
    }) : (tensor<i1>) -> (tensor<2xi1>)
    return %0 : tensor<2xi1>
  }
}

// If: false
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<2xi1>, %arg2: tensor<2xi1>) -> tensor<2xi1> {
    %0 = "stablehlo.if"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi1>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi1>
      stablehlo.return %1 : tensor<2xi1>
    }) : (tensor<i1>) -> (tensor<2xi1>)
    return %0 : tensor<2xi1>
  }
}

// If: two results
module {
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<2xi1>, %arg2: tensor<2xi1>) -> (tensor<2xi1>, tensor<2xi1>) {
    %0:2 = "stablehlo.if"(%arg0) ({
      stablehlo.return %arg1, %arg2 : tensor<2xi1>, tensor<2xi1>
    }, {
      stablehlo.return %arg2, %arg1 : tensor<2xi1>, tensor<2xi1>
    }) : (tensor<i1>) -> (tensor<2xi1>, tensor<2xi1>)
    return %0#0, %0#1 : tensor<2xi1>, tensor<2xi1>
  }
}

// Case: at 0
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi32>
    }, {
      stablehlo.return %arg2 : tensor<2xi32>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi32>
      stablehlo.return %1 : tensor<2xi32>
    }) : (tensor<i32>) -> (tensor<2xi32>)
    return %0 : tensor<2xi32>
  }
}

// Case: at 1
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi32>
    }, {
      stablehlo.return %arg2 : tensor<2xi32>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi32>
      stablehlo.return %1 : tensor<2xi32>
    }) : (tensor<i32>) -> (tensor<2xi32>)
    return %0 : tensor<2xi32>
  }
}

// Case: at 2
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi32>
    }, {
      stablehlo.return %arg2 : tensor<2xi32>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi32>
      stablehlo.return %1 : tensor<2xi32>
    }) : (tensor<i32>) -> (tensor<2xi32>)
    return %0 : tensor<2xi32>
  }
}

// Case: at 3
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi32>
    }, {
      stablehlo.return %arg2 : tensor<2xi32>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi32>
      stablehlo.return %1 : tensor<2xi32>
    }) : (tensor<i32>) -> (tensor<2xi32>)
    return %0 : tensor<2xi32>
  }
}

// Case: at -1
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xi32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.case"(%arg0) ({
      stablehlo.return %arg1 : tensor<2xi32>
    }, {
      stablehlo.return %arg2 : tensor<2xi32>
    }, {
      %1 = stablehlo.reverse %arg2, dims = [0] : tensor<2xi32>
      stablehlo.return %1 : tensor<2xi32>
    }) : (tensor<i32>) -> (tensor<2xi32>)
    return %0 : tensor<2xi32>
  }
}

// While: five times
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
    %2:2 = stablehlo.while(%0 = %arg0, %1 = %arg1) : tensor<i32>, tensor<3xf32>
    cond {
      %3 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %0, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %5 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %0, %5 : tensor<i32>
      %7 = stablehlo.reverse %1, dims = [0] : tensor<3xf32>
      stablehlo.return %6, %7 : tensor<i32>, tensor<3xf32>
    }
    return %2#0, %2#1 : tensor<i32>, tensor<3xf32>
  }
}

// While: once
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
    %2:2 = stablehlo.while(%0 = %arg0, %1 = %arg1) : tensor<i32>, tensor<3xf32>
    cond {
      %3 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %0, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %5 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %0, %5 : tensor<i32>
      %7 = stablehlo.reverse %1, dims = [0] : tensor<3xf32>
      stablehlo.return %6, %7 : tensor<i32>, tensor<3xf32>
    }
    return %2#0, %2#1 : tensor<i32>, tensor<3xf32>
  }
}

// While: never
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {
    %2:2 = stablehlo.while(%0 = %arg0, %1 = %arg1) : tensor<i32>, tensor<3xf32>
    cond {
      %3 = stablehlo.constant dense<5> : tensor<i32>
      %4 = stablehlo.compare LT, %0, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %5 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %0, %5 : tensor<i32>
      %7 = stablehlo.reverse %1, dims = [0] : tensor<3xf32>
      stablehlo.return %6, %7 : tensor<i32>, tensor<3xf32>
    }
    return %2#0, %2#1 : tensor<i32>, tensor<3xf32>
  }
}

// OptimizationBarrier: two
module {
  func.func public @main(%arg0: tensor<27xf32>, %arg1: tensor<2x3xf32>) -> (tensor<27xf32>, tensor<2x3xf32>) {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<27xf32>, tensor<2x3xf32>
    return %0#0, %0#1 : tensor<27xf32>, tensor<2x3xf32>
  }
}

// Call: reversed
module {
  func.func public @main(%arg0: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<2x3xf32>
    return %0 : tensor<2x3xf32>
  }
}

// Scan: no steps
module {
  func.func public @main(%arg0: tensor<i32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>, %arg3: tensor<0x2xf32>, %arg4: tensor<0xf32>) -> (tensor<i32>, tensor<2xf32>, tensor<0x2xf32>, tensor<0x2xf32>, tensor<0xi32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<> : tensor<0x2xf32>
    %2 = stablehlo.constant dense<> : tensor<0x2xf32>
    %3 = stablehlo.constant dense<> : tensor<0xi32>
    return %arg0, %arg1, %1, %2, %3 : tensor<i32>, tensor<2xf32>, tensor<0x2xf32>, tensor<0x2xf32>, tensor<0xi32>
  }
}

// Scan: carried alone
module {
  func.func public @main(%arg0: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %3:2 = stablehlo.while(%1 = %0, %2 = %arg0) : tensor<i32>, tensor<i32>
    cond {
      %4 = stablehlo.constant dense<3> : tensor<i32>
      %5 = stablehlo.compare LT, %1, %4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %6 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %1, %6 : tensor<i32>
      stablehlo.return %7, %2 : tensor<i32>, tensor<i32>
    }
    return %3#1 : tensor<i32>
  }
}

// CumSum: size 1
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    return %arg0 : tensor<1xf32>
  }
}

// CumSum: no rows
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x3xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<0x3xf32>
    %3 = stablehlo.pad %2, %0, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x3xf32>
    %4 = stablehlo.add %3, %2 : tensor<0x3xf32>
    return %4 : tensor<0x3xf32>
  }
}

// CumSum: no elements
module {
  func.func public @main(%arg0: tensor<0xf32>) -> tensor<0xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    return %arg0 : tensor<0xf32>
  }
}

// CumSum: vector
module {
  func.func public @main(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1], high = [-1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<7xf32>
    %3 = stablehlo.pad %2, %0, low = [2], high = [-2], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %4 = stablehlo.add %3, %2 : tensor<7xf32>
    %5 = stablehlo.pad %4, %0, low = [4], high = [-4], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %6 = stablehlo.add %5, %4 : tensor<7xf32>
    return %6 : tensor<7xf32>
  }
}

// CumSum: columns
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<3x2xf32>
    %2 = stablehlo.pad %1, %0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %3 = stablehlo.add %2, %1 : tensor<3x2xf32>
    %4 = stablehlo.pad %3, %0, low = [2, 0], high = [-2, 0], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %5 = stablehlo.add %4, %3 : tensor<3x2xf32>
    %6 = stablehlo.reverse %5, dims = [0] : tensor<3x2xf32>
    return %6 : tensor<3x2xf32>
  }
}

// CumSum: rows
module {
  func.func public @main(%arg0: tensor<2x5xf32>) -> tensor<2x5xf32> {
    %0 = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<2x5xf32>
    %3 = stablehlo.pad %2, %0, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.add %3, %2 : tensor<2x5xf32>
    %5 = stablehlo.pad %4, %0, low = [0, 4], high = [0, -4], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %6 = stablehlo.add %5, %4 : tensor<2x5xf32>
    return %6 : tensor<2x5xf32>
  }
}

// CumProd: size 1
module {
  func.func public @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    return %arg0 : tensor<1xf32>
  }
}

// CumProd: no rows
module {
  func.func public @main(%arg0: tensor<0x3xf32>) -> tensor<0x3xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x3xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<0x3xf32>
    %3 = stablehlo.pad %2, %0, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<0x3xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<0x3xf32>
    return %4 : tensor<0x3xf32>
  }
}

// CumProd: no elements
module {
  func.func public @main(%arg0: tensor<0xf32>) -> tensor<0xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    return %arg0 : tensor<0xf32>
  }
}

// CumProd: vector
module {
  func.func public @main(%arg0: tensor<7xf32>) -> tensor<7xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1], high = [-1], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<7xf32>
    %3 = stablehlo.pad %2, %0, low = [2], high = [-2], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<7xf32>
    %5 = stablehlo.pad %4, %0, low = [4], high = [-4], interior = [0] : (tensor<7xf32>, tensor<f32>) -> tensor<7xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<7xf32>
    return %6 : tensor<7xf32>
  }
}

// CumProd: columns
module {
  func.func public @main(%arg0: tensor<3x2xf32>) -> tensor<3x2xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.reverse %arg0, dims = [0] : tensor<3x2xf32>
    %2 = stablehlo.pad %1, %0, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<3x2xf32>
    %4 = stablehlo.pad %3, %0, low = [2, 0], high = [-2, 0], interior = [0, 0] : (tensor<3x2xf32>, tensor<f32>) -> tensor<3x2xf32>
    %5 = stablehlo.multiply %4, %3 : tensor<3x2xf32>
    %6 = stablehlo.reverse %5, dims = [0] : tensor<3x2xf32>
    return %6 : tensor<3x2xf32>
  }
}

// CumProd: rows
module {
  func.func public @main(%arg0: tensor<2x5xf32>) -> tensor<2x5xf32> {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 1], high = [0, -1], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %2 = stablehlo.multiply %1, %arg0 : tensor<2x5xf32>
    %3 = stablehlo.pad %2, %0, low = [0, 2], high = [0, -2], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<2x5xf32>
    %5 = stablehlo.pad %4, %0, low = [0, 4], high = [0, -4], interior = [0, 0] : (tensor<2x5xf32>, tensor<f32>) -> tensor<2x5xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<2x5xf32>
    return %6 : tensor<2x5xf32>
  }
}

// CumMax: size 1
module {
  func.func public @main(%arg0: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xi64>) {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.iota dim = 0 : tensor<1xi64>
    return %arg0, %2 : tensor<1xf32>, tensor<1xi64>
  }
}

// CumMax: no elements
module {
  func.func public @main(%arg0: tensor<0xf32>) -> (tensor<0xf32>, tensor<0xi64>) {
    %0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.iota dim = 0 : tensor<0xi64>
    return %arg0, %2 : tensor<0xf32>, tensor<0xi64>
  }
}

// CumMin: size 1
module {
  func.func public @main(%arg0: tensor<1xf32>) -> (tensor<1xf32>, tensor<1xi64>) {
    %0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.iota dim = 0 : tensor<1xi64>
    return %arg0, %2 : tensor<1xf32>, tensor<1xi64>
  }
}

// CumMin: no elements
module {
  func.func public @main(%arg0: tensor<0xf32>) -> (tensor<0xf32>, tensor<0xi64>) {
    %0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.constant dense<0> : tensor<i64>
    %2 = stablehlo.iota dim = 0 : tensor<0xi64>
    return %arg0, %2 : tensor<0xf32>, tensor<0xi64>
  }
}

