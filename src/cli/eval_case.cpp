#include "cli/eval_case.hpp"

#include <algorithm>

#include <charconv>
#include <cmath>
#include <limits>

#include "core/ops.hpp"

namespace lab {
namespace {

// As a fixture writes it: a number read as double and cast to float, or "inf", "-inf", "nan".
bool read_float(const Json& j, float& x) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (j.is_number()) {
    const double d = j.get<double>();
    x = std::abs(d) >= 0x1.ffffffp127 ? std::copysign(kInfinity, float(d > 0) - 0.5f) : float(d);
    return true;
  }
  const auto* word = j.get_ptr<const Json::string_t*>();
  if (!word) return false;
  if (*word == "inf") {
    x = kInfinity;
  } else if (*word == "-inf") {
    x = -kInfinity;
  } else if (*word == "nan") {
    x = std::numeric_limits<float>::quiet_NaN();
  } else {
    return false;
  }
  return true;
}

bool read_integer(const Json& j, std::int64_t& x) {
  if (!j.is_number_integer()) return false;
  if (j.is_number_unsigned() &&
      j.get<std::uint64_t>() > std::uint64_t(std::numeric_limits<std::int64_t>::max()))
    return false;
  x = j.get<std::int64_t>();
  return true;
}

std::string text_of(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t n : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(n);
  return text + "]";
}

}  // namespace

std::int64_t elements(const Shape& shape) {
  std::int64_t n = 1;
  for (const std::int64_t d : shape) {
    if (d == 0) return 0;
    n = n > kMaxElements || d > kMaxElements ? kMaxElements + 1 : n * d;
  }
  return n > kMaxElements ? kMaxElements + 1 : n;
}

const Json* member(const Json* object, const char* key) {
  if (!object || !object->is_object()) return nullptr;
  const auto it = object->find(key);
  return it == object->end() ? nullptr : &*it;
}

void Fields::complain(const char* key, const std::string& what) const {
  if (ok()) *problem_ = path_ + key + " " + what;
}

const Json* Fields::required(const char* key) const {
  const Json* j = raw(key);
  if (!j) complain(key, "is missing");
  return j;
}

Fields Fields::object(const char* key) const {
  static const Json nothing;
  const Json* j = required(key);
  if (j && !j->is_object()) complain(key, "is not an object");
  return {j ? *j : nothing, path_ + key + ".", *problem_};
}

std::vector<Fields> Fields::list(const char* key) const {
  std::vector<Fields> all;
  const Json* j = required(key);
  if (j && !j->is_array()) complain(key, "is not a list");
  if (!j || !j->is_array()) return all;
  for (const Json& one : *j) {
    if (!one.is_object()) complain(key, "holds what is no object");
    all.emplace_back(one, path_ + key + "." + std::to_string(all.size()) + ".", *problem_);
  }
  return all;
}

std::vector<std::string> Fields::keys() const {
  std::vector<std::string> all;
  if (const auto* members = object_->get_ptr<const Json::object_t*>())
    for (const auto& [key, value] : *members) all.push_back(key);
  return all;
}

std::int64_t Fields::integer(const char* key, std::int64_t low, std::int64_t high) const {
  std::int64_t x = low;
  const Json* j = required(key);
  if (!j) return low;
  if (!read_integer(*j, x) || x < low || x > high) {
    complain(key, "is not a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    return low;
  }
  return x;
}

double Fields::number(const char* key) const {
  const Json* j = required(key);
  if (!j) return 0;
  const double x = j->is_number() ? j->get<double>() : std::numeric_limits<double>::infinity();
  if (std::abs(x) <= double(std::numeric_limits<float>::max())) return x;
  complain(key, "is not a number that a float32 can hold");
  return 0;
}

double Fields::probability(const char* key) const {
  const double p = number(key);
  if (p >= 0 && p < 1) return p;
  complain(key, "is not from 0 to below 1");
  return 0;
}

bool Fields::flag(const char* key) const {
  const Json* j = required(key);
  if (!j) return false;
  if (!j->is_boolean()) {
    complain(key, "is not true or false");
    return false;
  }
  return j->get<bool>();
}

std::uint64_t Fields::seed(const char* key) const {
  const Json* j = required(key);
  if (!j) return 0;
  if (j->is_number_unsigned()) return j->get<std::uint64_t>();
  std::uint64_t x = 0;
  if (const auto* digits = j->get_ptr<const Json::string_t*>()) {
    const char* end = digits->data() + digits->size();
    const auto read = std::from_chars(digits->data(), end, x);
    if (read.ec == std::errc() && read.ptr == end && !digits->empty()) return x;
  }
  complain(key, "is not a seed from 0 to 18446744073709551615");
  return 0;
}

Shape Fields::shape(const char* key) const {
  const Json* j = required(key);
  if (!j) return {};
  const auto* list = j->get_ptr<const Json::array_t*>();
  Shape shape;
  for (std::size_t i = 0; list && i < list->size() && i <= 8; ++i) {
    std::int64_t n = 0;
    if (!read_integer((*list)[i], n) || n < 0) list = nullptr;
    shape.push_back(n);
  }
  if (!list || shape.size() > 8) {
    complain(key, "is not a list of at most 8 sizes");
    return {};
  }
  if (elements(shape) > kMaxElements) {
    complain(key,
             text_of(shape) + " is larger than the " + std::to_string(kMaxElements) + " elements allowed");
    return {};
  }
  return shape;
}

FileTensor Fields::tensor(const char* key, const Shape& expected) const {
  const Fields t = object(key);
  const Shape shape = t.shape("shape");
  const Json* j = t.required("data");
  if (!ok()) return {};
  if (shape != expected) {
    complain(key, "has the shape " + text_of(shape) + ", not " + text_of(expected));
    return {};
  }
  const auto* list = j->get_ptr<const Json::array_t*>();
  if (!list || std::int64_t(list->size()) != elements(shape)) {
    t.complain("data", "is not a list of " + std::to_string(elements(shape)) + " numbers");
    return {};
  }
  FileTensor read{shape, std::vector<float>(list->size())};
  for (std::size_t i = 0; i < list->size(); ++i) {
    if (read_float((*list)[i], read.data[i])) continue;
    t.complain(("data[" + std::to_string(i) + "]").c_str(),
               R"(is neither a number nor "inf", "-inf" or "nan")");
    return {};
  }
  return read;
}

void write_tensor(JsonText& out, const Shape& shape, std::span<const float> data, const Json* fixture) {
  if (std::int64_t(data.size()) > kMaxWhole) return write_summary(out, shape, data, fixture);
  out.tensor(shape, data);
}

void write_summary(JsonText& out, const Shape& shape, std::span<const float> data, const Json* fixture) {
  const Sums s = sums(data);
  out.object().key("shape").array();
  for (const std::int64_t n : shape) out.number(n);
  out.end(']').key("sum_f64").number(s.sum).key("sumsq_f64").number(s.of_squares);
  out.key("sumabs_f64").number(s.of_magnitudes).key("bits_sum_u64").text(std::to_string(s.of_bits));
  std::vector<std::int64_t> indices;
  if (const Json* idx = member(fixture, "idx"); idx && idx->is_array())
    for (const Json& j : *idx)
      if (std::int64_t i = 0; read_integer(j, i) && i >= 0 && i < std::int64_t(data.size()))
        indices.push_back(i);
  out.key("idx").array();
  for (const std::int64_t i : indices) out.number(i);
  out.end(']').key("val").array();
  for (const std::int64_t i : indices) out.number(data[std::size_t(i)]);
  out.end(']').end('}');
}

void write_result(JsonText& out, const char* name, const Shape& shape, std::span<const float> data,
                  const Json* fixture) {
  out.key(name);
  write_tensor(out, shape, data, fixture);
}

void put_below(Matrix& all, const Matrix& more) {
  all.conservativeResize(all.rows() + more.rows(), more.cols());
  all.bottomRows(more.rows()) = more;
}

Matrix matrix(const float* data, std::int64_t rows, std::int64_t cols) {
  return Eigen::Map<const Matrix>(data, Eigen::Index(rows), Eigen::Index(cols));
}

void take_weights(const Fields& in, const char* class_name, const std::vector<Parameter*>& parameters) {
  const Fields given = in.object("weights");
  for (const std::string& name : given.keys())
    if (std::none_of(parameters.begin(), parameters.end(),
                     [&](const Parameter* p) { return p->name == name; }))
      given.complain(name.c_str(), std::string("is no parameter of this ") + class_name);
  for (Parameter* p : parameters) {
    const Shape shape =
        p->one_dimensional ? Shape{p->stored.cols()} : Shape{p->stored.rows(), p->stored.cols()};
    const FileTensor t = given.tensor(p->name.c_str(), shape);
    if (in.ok()) p->stored = matrix(t.data.data(), p->stored.rows(), p->stored.cols());
  }
}

}  // namespace lab
