module {
  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<i32>) -> (tensor<3xf32>, tensor<3xi1>, tensor<2xi32>, tensor<i32>) {
    %0 = stablehlo.constant dense<2.0> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<2x3xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    %5 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.constant dense<0> : tensor<i32>
    %8:2 = stablehlo.reduce(%2 init: %6), (%5 init: %7) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
     reducer(%9: tensor<f32>, %10: tensor<f32>) (%11: tensor<i32>, %12: tensor<i32>) {
      %13 = stablehlo.compare GT, %9, %10, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = stablehlo.compare EQ, %9, %10, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %15 = stablehlo.compare NE, %9, %9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %16 = stablehlo.compare NE, %10, %10, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %17 = stablehlo.not %16 : tensor<i1>
      %18 = stablehlo.and %15, %17 : tensor<i1>
      %19 = stablehlo.or %13, %18 : tensor<i1>
      %20 = stablehlo.and %15, %16 : tensor<i1>
      %21 = stablehlo.or %14, %20 : tensor<i1>
      %22 = stablehlo.compare LT, %11, %12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %23 = stablehlo.and %21, %22 : tensor<i1>
      %24 = stablehlo.or %19, %23 : tensor<i1>
      %25 = stablehlo.select %24, %9, %10 : tensor<i1>, tensor<f32>
      %26 = stablehlo.select %24, %11, %12 : tensor<i1>, tensor<i32>
      stablehlo.return %25, %26 : tensor<f32>, tensor<i32>
    }
    %27 = stablehlo.dot_general %4, %2, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<2xf32>, tensor<2x3xf32>) -> tensor<3xf32>
    %28 = stablehlo.compare GT, %27, %27, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %29:2 = "stablehlo.sort"(%27, %28) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%30: tensor<f32>, %31: tensor<f32>, %32: tensor<i1>, %33: tensor<i1>):
      %34 = stablehlo.compare LT, %30, %31, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %35 = stablehlo.compare NE, %30, %30, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %36 = stablehlo.compare NE, %31, %31, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %37 = stablehlo.not %35 : tensor<i1>
      %38 = stablehlo.and %36, %37 : tensor<i1>
      %39 = stablehlo.or %34, %38 : tensor<i1>
      stablehlo.return %39 : tensor<i1>
    }) : (tensor<3xf32>, tensor<3xi1>) -> (tensor<3xf32>, tensor<3xi1>)
    %41 = stablehlo.while(%40 = %arg1) : tensor<i32>
    cond {
      %42 = stablehlo.constant dense<1> : tensor<i32>
      %43 = stablehlo.compare GE, %40, %42, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %43 : tensor<i1>
    } do {
      %44 = stablehlo.constant dense<1> : tensor<i32>
      %45 = stablehlo.subtract %40, %44 : tensor<i32>
      stablehlo.return %45 : tensor<i32>
    }
    %46 = stablehlo.optimization_barrier %41 : tensor<i32>
    %47 = stablehlo.divide %arg1, %46 : tensor<i32>
    return %29#0, %29#1, %8#1, %47 : tensor<3xf32>, tensor<3xi1>, tensor<2xi32>, tensor<i32>
  }
}
