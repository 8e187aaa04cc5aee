module {
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.constant dense<1.0> : tensor<4xf32>
    %7:5 = stablehlo.while(%2 = %0, %3 = %arg0, %4 = %1, %5 = %arg1, %6 = %arg2) : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>
    cond {
      %8 = stablehlo.constant dense<4> : tensor<i32>
      %9 = stablehlo.compare LT, %2, %8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %10 = stablehlo.constant dense<1> : tensor<i32>
      %11 = stablehlo.add %2, %10 : tensor<i32>
      %12 = stablehlo.constant dense<3> : tensor<i32>
      %13 = stablehlo.subtract %12, %2 : tensor<i32>
      %14 = stablehlo.dynamic_slice %6, %13, sizes = [1] : (tensor<4xf32>, tensor<i32>) -> tensor<1xf32>
      %15 = stablehlo.reshape %14 : (tensor<1xf32>) -> tensor<f32>
      %16 = stablehlo.multiply %3, %5 : tensor<f32>
      %17 = stablehlo.add %16, %15 : tensor<f32>
      %18 = stablehlo.reshape %17 : (tensor<f32>) -> tensor<1xf32>
      %19 = stablehlo.dynamic_update_slice %4, %18, %13 : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
      stablehlo.return %11, %17, %19, %5, %6 : tensor<i32>, tensor<f32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>
    }
    return %7#1, %7#2 : tensor<f32>, tensor<4xf32>
  }
}
