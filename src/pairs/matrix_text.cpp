#include "pairs/matrix_text.hpp"

#include "core/size_text.hpp"
#include "pairs/text_grid.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace viaduct {

namespace {

std::string cell_text(double value) {
  return fmt::format("{:.4g}", value);
}

/// Samples of rounds with one pair a host have another load and would mix.
std::vector<const PairSample*> shown_samples(const PairSeries& series) {
  std::vector<const PairSample*> shown;
  const bool has_full = std::any_of(series.samples.begin(),
                                    series.samples.end(),
                                    [](const PairSample& one) { return !one.alone; });
  for (const PairSample& one : series.samples) {
    if (!has_full || !one.alone) {
      shown.push_back(&one);
    }
  }
  return shown;
}

/// Values by sender and receiver, which are ranks or hosts.
class Squares {
 public:
  explicit Squares(int places)
      : places_(static_cast<std::size_t>(places)),
        values_(places_ * places_) {}

  void add(int from, int to, double value) { at(from, to).push_back(value); }

  [[nodiscard]] const std::vector<double>& of(std::size_t row, std::size_t column) const {
    return values_[row * places_ + column];
  }

 private:
  std::vector<double>& at(int from, int to) {
    return values_[static_cast<std::size_t>(from) * places_ + static_cast<std::size_t>(to)];
  }

  std::size_t places_ = 0;
  std::vector<std::vector<double>> values_;
};

double worst_of(const std::vector<double>& values, bool higher_is_better) {
  return higher_is_better ? *std::min_element(values.begin(), values.end())
                          : *std::max_element(values.begin(), values.end());
}

enum class Show { median, worst };

std::string shown_value(const std::vector<double>& values, const PairSeries& series, Show show) {
  if (values.empty()) {
    return ".";
  }
  return cell_text(show == Show::median ? median(values)
                                        : worst_of(values, series.higher_is_better));
}

std::string title(const PairSeries& series, const std::string& what) {
  return fmt::format("{} {} on {}, {}, {}; rows send, columns receive\n",
                     series.pattern,
                     format_size(series.size_bytes),
                     series.path,
                     series.unit,
                     what);
}

std::string square_text(const Squares& squares,
                        const std::vector<std::string>& labels,
                        const PairSeries& series,
                        Show show) {
  TextGrid grid;
  std::vector<std::string> head{""};
  for (std::size_t column = 0; column < labels.size(); ++column) {
    head.push_back(std::to_string(column));
  }
  grid.add_row(std::move(head));
  for (std::size_t row = 0; row < labels.size(); ++row) {
    std::vector<std::string> cells{labels[row]};
    for (std::size_t column = 0; column < labels.size(); ++column) {
      const std::vector<double>& values = squares.of(row, column);
      const bool is_blank = row == column && values.empty();
      cells.push_back(is_blank ? "" : shown_value(values, series, show));
    }
    grid.add_row(std::move(cells));
  }
  return grid.text();
}

std::string rank_matrix(const PairSeries& series, const HostLayout& layout) {
  Squares squares(layout.ranks());
  for (const PairSample* one : shown_samples(series)) {
    squares.add(one->from, one->to, one->value);
    if (!series.is_directed) {
      squares.add(one->to, one->from, one->value);
    }
  }
  std::vector<std::string> labels;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    labels.push_back(layout.hosts() > 1
                         ? fmt::format("{} ({})", rank, layout.name(layout.host_of(rank)))
                         : std::to_string(rank));
  }
  return title(series, "by rank") + square_text(squares, labels, series, Show::median);
}

std::string host_matrices(const PairSeries& series, const HostLayout& layout) {
  Squares squares(layout.hosts());
  for (const PairSample* one : shown_samples(series)) {
    const int from = layout.host_of(one->from);
    const int to = layout.host_of(one->to);
    squares.add(from, to, one->value);
    if (!series.is_directed && from != to) {
      squares.add(to, from, one->value);
    }
  }
  std::vector<std::string> labels;
  for (int host = 0; host < layout.hosts(); ++host) {
    labels.push_back(fmt::format("{} ({})", host, layout.name(host)));
  }
  return title(series, "by host, median of its pairs (diagonal: inside)") +
         square_text(squares, labels, series, Show::median) +
         title(series, "by host, slowest of its pairs (diagonal: inside)") +
         square_text(squares, labels, series, Show::worst);
}

/// What one host sends, receives and moves inside.
struct HostValues {
  std::vector<double> sent;
  std::vector<double> received;
  std::vector<double> inside;
};

std::vector<HostValues> values_by_host(const PairSeries& series, const HostLayout& layout) {
  std::vector<HostValues> hosts(static_cast<std::size_t>(layout.hosts()));
  for (const PairSample* one : shown_samples(series)) {
    HostValues& from = hosts[static_cast<std::size_t>(layout.host_of(one->from))];
    HostValues& to = hosts[static_cast<std::size_t>(layout.host_of(one->to))];
    if (&from == &to) {
      from.inside.push_back(one->value);
      continue;
    }
    from.sent.push_back(one->value);
    to.received.push_back(one->value);
    if (!series.is_directed) {
      from.received.push_back(one->value);
      to.sent.push_back(one->value);
    }
  }
  return hosts;
}

/// Hosts in the order of their medians to and from others, the slowest first; those without a value
/// last.
std::vector<std::size_t> slowest_first(const std::vector<HostValues>& hosts,
                                       bool higher_is_better) {
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t host = 0; host < hosts.size(); ++host) {
    std::vector<double> all = hosts[host].sent;
    all.insert(all.end(), hosts[host].received.begin(), hosts[host].received.end());
    if (!all.empty()) {
      const double middle = median(std::move(all));
      order.emplace_back(higher_is_better ? middle : -middle, host);
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<std::size_t> hosts_in_order;
  for (const auto& [middle, host] : order) {
    hosts_in_order.push_back(host);
  }
  return hosts_in_order;
}

std::string host_list(const PairSeries& series, const HostLayout& layout, std::size_t most) {
  const std::vector<HostValues> hosts = values_by_host(series, layout);
  std::vector<std::size_t> order = slowest_first(hosts, series.higher_is_better);
  order.resize(std::min(order.size(), most));
  TextGrid grid;
  grid.add_row(
      {"host", "sent median", "slowest", "received median", "slowest", "inside median", "slowest"});
  for (const std::size_t host : order) {
    std::vector<std::string> row{layout.name(static_cast<int>(host))};
    for (const auto* values : {&hosts[host].sent, &hosts[host].received, &hosts[host].inside}) {
      row.push_back(shown_value(*values, series, Show::median));
      row.push_back(shown_value(*values, series, Show::worst));
    }
    grid.add_row(std::move(row));
  }
  return fmt::format("{} {} on {}, {}, the {} slowest of {} hosts by median\n{}",
                     series.pattern,
                     format_size(series.size_bytes),
                     series.path,
                     series.unit,
                     order.size(),
                     layout.hosts(),
                     grid.text());
}

}  // namespace

std::string matrix_text(const PairSeries& series,
                        const HostLayout& layout,
                        const MatrixTextOptions& options) {
  if (static_cast<std::size_t>(layout.ranks()) <= options.most_columns) {
    return rank_matrix(series, layout);
  }
  if (layout.hosts() > 1 && static_cast<std::size_t>(layout.hosts()) <= options.most_columns) {
    return host_matrices(series, layout);
  }
  return layout.hosts() > 1 ? host_list(series, layout, options.most_columns)
                            : rank_matrix(series, layout);
}

}  // namespace viaduct
