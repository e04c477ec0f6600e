#include "Models.h"
void roofline::models::registerTosaModels(mlir::DialectRegistry &) {}
