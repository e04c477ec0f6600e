// RUN: rl-opt %s -split-input-file -verify-diagnostics

func.func @form(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'rl.contract' op equation "mk kn" isn't of the form "mk,kn->mn"}}
  %0 = rl.contract "mk kn"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @label(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{equation "m1->m" isn't of the form}}
  %0 = rl.contract "m1->m"(%a) : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @factors(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{equation has 2 factors, the op 1}}
  %0 = rl.contract "mk,kn->mn"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @rank(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{factor 1 has rank 1, its labels are "kn"}}
  %0 = rl.contract "mk,kn->mn"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @sizes(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error@+1 {{label 'k' has sizes 3 and 4}}
  %0 = rl.contract "mk,kn->mn"(%a, %b) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @from_nowhere(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{no factor has the result's label 'z'}}
  %0 = rl.contract "mk->mz"(%a) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @result_rank(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result has rank 2, its labels are "m"}}
  %0 = rl.contract "mk->m"(%a) : (tensor<2x3xf32>) -> tensor<2x1xf32>
  return
}

// -----

func.func @types(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{factor_types are as many as factors}}
  %0 = rl.contract "mk->m"(%a) {factor_types = [tensor<2x3xf16>, f32]} : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @stored_as(%a: tensor<2x3xi8>) {
  // expected-error@+1 {{factor 0 has rank 1, its labels are "mk"}}
  %0 = rl.contract "mk->m"(%a) {factor_types = [tensor<6xi4>]} : (tensor<2x3xi8>) -> tensor<2xi8>
  return
}
