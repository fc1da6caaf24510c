#pragma once
// The two walkers of message_fields.hpp: values into a JSON object, and back with every type and
// range checked.

#include "core/error.hpp"
#include "lane/message_fields.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace viaduct {

/// Every enumerator of an enumeration that travels by its name.
template <typename E>
std::vector<E> enumerators();

template <>
inline std::vector<Datatype> enumerators<Datatype>() {
  return all_datatypes();
}

template <>
inline std::vector<ReduceOp> enumerators<ReduceOp>() {
  return all_reduce_ops();
}

template <>
inline std::vector<Placement> enumerators<Placement>() {
  return {Placement::out_of_place, Placement::in_place};
}

template <>
inline std::vector<Mode> enumerators<Mode>() {
  return {Mode::graph, Mode::stream, Mode::each};
}

template <>
inline std::vector<Method> enumerators<Method>() {
  return {Method::viaduct, Method::nccl_tests, Method::p2p_sample};
}

template <>
inline std::vector<BufferKind> enumerators<BufferKind>() {
  return {BufferKind::plain, BufferKind::nccl, BufferKind::registered, BufferKind::symmetric};
}

template <>
inline std::vector<Engine> enumerators<Engine>() {
  return {std::begin(all_engines), std::end(all_engines)};
}

template <>
inline std::vector<ErrorKind> enumerators<ErrorKind>() {
  using enum ErrorKind;
  return {internal, io, usage, refused, lost, mpi, cuda, nccl, interrupted};
}

class CborWriter {
 public:
  explicit CborWriter(nlohmann::json& object) : object_(object) {}

  template <typename T>
  void operator()(const char* key, const T& value) {
    object_[key] = to_value(value);
  }

 private:
  template <typename T>
  static nlohmann::json to_value(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return name(value);
    } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
      return nlohmann::json(value);
    } else if constexpr (std::same_as<T, std::vector<double>>) {
      return bytes_of(value);
    } else {
      nlohmann::json nested = nlohmann::json::object();
      CborWriter writer(nested);
      fields(writer, value);
      return nested;
    }
  }

  template <typename T>
  static nlohmann::json to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : nlohmann::json(nullptr);
  }

  /// Both ends are on one host: samples travel as the bytes they are, exact, and much faster than
  /// as one value each.
  static nlohmann::json bytes_of(const std::vector<double>& values) {
    std::vector<std::uint8_t> bytes(values.size() * sizeof(double));
    if (!values.empty()) {
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    return nlohmann::json::binary(std::move(bytes));
  }

  nlohmann::json& object_;
};

class CborReader {
 public:
  /// `where` names the object in messages: "a reply of type 'open'".
  CborReader(const nlohmann::json& object, std::string where)
      : object_(object),
        where_(std::move(where)) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    const auto found = object_.find(key);
    if (found == object_.end()) {
      throw Error(ErrorKind::lost, fmt::format("{} lacks the key '{}'", where_, key));
    }
    read(*found, key, value);
  }

 private:
  using Json = nlohmann::json;

  void require(bool is_right, const Json& value, const char* key, std::string_view wanted) const {
    if (!is_right) {
      throw Error(
          ErrorKind::lost,
          fmt::format(
              "{}: the key '{}' is of type {}, not {}", where_, key, value.type_name(), wanted));
    }
  }

  void read(const Json& value, const char* key, bool& out) const {
    require(value.is_boolean(), value, key, "boolean");
    out = value.get<bool>();
  }

  void read(const Json& value, const char* key, double& out) const {
    require(value.is_number_float(), value, key, "floating-point number");
    out = value.get<double>();
  }

  void read(const Json& value, const char* key, std::string& out) const {
    require(value.is_string(), value, key, "string");
    out = value.get_ref<const std::string&>();
  }

  template <std::integral T>
  void read(const Json& value, const char* key, T& out) const {
    require(value.is_number_integer(), value, key, "whole number");
    const bool fits = value.is_number_unsigned() ? std::in_range<T>(value.get<std::uint64_t>())
                                                 : std::in_range<T>(value.get<std::int64_t>());
    if (!fits) {
      throw Error(ErrorKind::lost,
                  fmt::format("{}: the key '{}' is {}, out of range", where_, key, value.dump()));
    }
    out = value.get<T>();
  }

  template <typename E>
  requires std::is_enum_v<E>

  void read(const Json& value, const char* key, E& out) const {
    require(value.is_string(), value, key, "string");
    const auto& text = value.get_ref<const std::string&>();
    for (const E enumerator : enumerators<E>()) {
      if (text == name(enumerator)) {
        out = enumerator;
        return;
      }
    }
    throw Error(ErrorKind::lost,
                fmt::format("{}: the key '{}' has the unknown value '{}'", where_, key, text));
  }

  void read(const Json& value, const char* key, std::vector<double>& out) const {
    require(value.is_binary(), value, key, "bytes");
    const std::vector<std::uint8_t>& bytes = value.get_binary();
    if (bytes.size() % sizeof(double) != 0) {
      throw Error(ErrorKind::lost,
                  fmt::format("{}: the key '{}' has {} bytes, not a multiple of {}",
                              where_,
                              key,
                              bytes.size(),
                              sizeof(double)));
    }
    out.resize(bytes.size() / sizeof(double));
    if (!bytes.empty()) {
      std::memcpy(out.data(), bytes.data(), bytes.size());
    }
  }

  template <typename T>
  void read(const Json& value, const char* key, std::optional<T>& out) const {
    if (value.is_null()) {
      out.reset();
      return;
    }
    read(value, key, out.emplace());
  }

  template <typename T>
  requires std::is_class_v<T>

  void read(const Json& value, const char* key, T& out) const {
    require(value.is_object(), value, key, "object");
    CborReader nested(value, fmt::format("{}, object '{}'", where_, key));
    fields(nested, out);
  }

  const Json& object_;
  std::string where_;
};

}  // namespace viaduct
