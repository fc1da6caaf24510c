#include "pairs/chance.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace viaduct {
namespace {

TEST(BinomialTail, IsTheSumOfTheTable) {
  // By hand: B(3, 1/2): 4 of 8 outcomes have two heads or more. B(6, 1/7) >= 5: (36 + 1) / 7^6.
  EXPECT_NEAR(std::exp(log_binomial_tail(3, 2, 0.5)), 0.5, 1e-12);
  EXPECT_NEAR(std::exp(log_binomial_tail(6, 5, 1.0 / 7)), 37.0 / 117649, 1e-12);
  EXPECT_NEAR(std::exp(log_binomial_tail(1, 1, 0.03)), 0.03, 1e-12);
  EXPECT_EQ(log_binomial_tail(5, 0, 0.1), 0);
  EXPECT_EQ(log_binomial_tail(5, 3, 1), 0);
}

TEST(BinomialTail, OfManyDrawsIsABoundFromAbove) {
  // 200 draws are summed, 201 bounded: the bound is above, and not by orders of magnitude.
  const double summed = log_binomial_tail(200, 150, 0.6);
  const double bounded = log_binomial_tail(201, 151, 0.6);
  EXPECT_GT(bounded, summed);
  EXPECT_LT(bounded, summed + std::log(100.0));
  EXPECT_EQ(log_binomial_tail(1000, 500, 0.6), 0);
  EXPECT_NEAR(log_binomial_tail(1000, 1000, 0.5), -1000 * std::log(2.0), 1e-6);
}

TEST(BinomialTail, StaysFiniteForTheLeastProbability) {
  EXPECT_TRUE(std::isfinite(log_binomial_tail(64, 48, 0)));
  EXPECT_LT(log_binomial_tail(64, 48, 0), -30000);
}

TEST(MedianAbsoluteDeviation, IgnoresAMinority) {
  EXPECT_EQ(median_absolute_deviation({1, 2, 3, 4, 100}), 1);
  EXPECT_EQ(median_absolute_deviation({}), 0);
}

TEST(LaplaceRate, IsTheScaleOfALaplaceDistribution) {
  std::mt19937 random(3);
  std::exponential_distribution<double> side(1 / 0.2);
  std::vector<double> values;
  for (int i = 0; i < 20000; ++i) {
    values.push_back(i % 2 == 0 ? side(random) : -side(random));
  }
  EXPECT_NEAR(laplace_rate(values), 0.2, 0.01);
  // Of three values that agree by luck: more than the deviation itself says.
  EXPECT_GT(laplace_rate({0, 0.01, 0.02}), 3 * laplace_rate(values) * 0.01 / 0.2);
}

TEST(ExponentialTail, FindsRateAndLimitInSpiteOfAFewFaults) {
  std::mt19937 random(5);
  std::exponential_distribution<double> spike(1 / 0.3);
  std::vector<double> values;
  for (int i = 0; i < 10000; ++i) {
    values.push_back(spike(random));
  }
  const ExponentialTail clean = exponential_tail(values);
  EXPECT_EQ(clean.values, 100U);
  EXPECT_NEAR(clean.rate, 0.3, 0.09);
  EXPECT_NEAR(clean.from, 0.3 * std::log(100.0), 0.15);
  // An expected 0.01 of 10000 values are above 0.3 ln(10^6).
  EXPECT_NEAR(clean.limit(0.01), 0.3 * std::log(1e6), 0.9);
  values.insert(values.end(), 10, 50.0);
  EXPECT_LT(exponential_tail(values).rate, 1.5 * clean.rate);
  EXPECT_THROW(exponential_tail(std::vector<double>(least_for_tail - 1, 1.0)), Error);
}

TEST(PeerValues, CountsPeersAndNotTheJudged) {
  std::vector<double> all;
  for (int i = 0; i < 400; ++i) {
    all.push_back(i);
  }
  const PeerValues peers(all, 300);
  // 20 of 399 peers reach 380 when 390 is one's own; (20 - 1 + 1) / (399 + 1).
  EXPECT_NEAR(peers.share_reaching(380, {390}, 0), 20.0 / 400, 1e-12);
  EXPECT_NEAR(peers.share_reaching(380, {5}, 0), 21.0 / 400, 1e-12);
  // Beyond the largest peer, 398, by less the larger the rate.
  const double near = peers.share_reaching(399, {399}, 1000);
  EXPECT_NEAR(near, std::exp(-1.0 / 1000) / 400, 1e-6);
  EXPECT_LT(peers.share_reaching(399, {399}, 0), near);
}

TEST(PeerValues, LooksAtThePeersAloneWhereTheJudgedAreMany) {
  // Half of the values are slow and belong to the judged: its peers know nothing like them.
  const PeerValues peers({0, 0.1, 0.2, 2, 2.1, 2.2}, 1);
  const double beyond = 2 - 0.2;
  EXPECT_NEAR(peers.share_reaching(2, {2, 2.1, 2.2}, 0),
              std::exp(-beyond / laplace_rate({0, 0.1, 0.2})) / 4,
              1e-9);
  EXPECT_EQ(peers.share_reaching(0, {0, 0.1, 0.2}, 0), 1);
  EXPECT_EQ(PeerValues({1, 2}, 0).share_reaching(1, {1, 2}, 0), 1);
}

TEST(PeerValues, KnowsNoPeerAboveWhatItKeepsButHowFarOffTheyAre) {
  std::vector<double> all(1000, 0.0);
  all.push_back(3);
  const PeerValues peers(all, 1);
  EXPECT_NEAR(peers.share_reaching(3, {3}, 1), std::exp(-2.0) / 1001, 1e-9);
}

}  // namespace
}  // namespace viaduct
