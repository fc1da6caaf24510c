#pragma once
// Quantiles of the normal and of Student's t distribution, for intervals of means of few values.

#include "core/error.hpp"

namespace viaduct {

/// P(Z <= z) of the standard normal distribution.
double normal_probability(double z);

/// z with P(Z <= z) = p. Throws Error(internal) when p is not in (0, 1).
double normal_quantile(double p);

/// P(T <= t) of Student's t distribution with `degrees` > 0 degrees of freedom, by the regularised
/// incomplete beta function (continued fraction of Lentz).
double student_probability(double t, double degrees);

/// t with P(T <= t) = p. Throws Error(internal) when p is not in (0, 1) or degrees is not positive.
double student_quantile(double p, double degrees);

}  // namespace viaduct
