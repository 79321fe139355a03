// What the kinds of eval share: reading a case's fields, each checked at the door, and writing its results.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "core/parameter.hpp"

namespace lab {

using Json = nlohmann::json;
using Shape = std::vector<std::int64_t>;

constexpr std::int64_t kMaxElements = std::int64_t(1) << 26;  // of a case, all its matrices together: 256 MB
constexpr std::int64_t kMaxWhole = 1'000'000;                 // larger tensors are printed as a summary

// Elements of a tensor; kMaxElements + 1 where there are more.
std::int64_t elements(const Shape& shape);

struct FileTensor {
  Shape shape;
  std::vector<float> data;  // row-major
};

const Json* member(const Json* object, const char* key);  // null: no such member, or no object

// The fields of one object of a case. Read all, then ask ok(), then compute: the first thing that is wrong is
// kept as the problem, and a reader that found one returns a harmless value.
class Fields {
 public:
  Fields(const Json& object, std::string path, std::string& problem)
      : object_(&object), path_(std::move(path)), problem_(&problem) {}

  bool ok() const { return problem_->empty(); }
  void complain(const char* key, const std::string& what) const;  // "args.n" + " is missing"
  bool has(const char* key) const { return raw(key) != nullptr; }
  const Json* raw(const char* key) const { return member(object_, key); }

  Fields object(const char* key) const;
  std::vector<Fields> list(const char* key) const;  // of objects
  std::vector<std::string> keys() const;
  std::int64_t integer(const char* key, std::int64_t low, std::int64_t high) const;
  double number(const char* key) const;       // a float32 can hold it
  double probability(const char* key) const;  // 0 ≤ p < 1
  bool flag(const char* key) const;
  std::uint64_t seed(const char* key) const;                        // a number, or a string of digits
  Shape shape(const char* key) const;                               // within kMaxElements
  FileTensor tensor(const char* key, const Shape& expected) const;  // {"shape":…,"data":…} of that shape

 private:
  const Json* required(const char* key) const;

  const Json* object_;
  std::string path_;  // "", "args."
  std::string* problem_;
};

// "name":TENSOR, or its summary at the indices of the fixture's own where it is large. fixture may be null.
void write_result(JsonText& out, const char* name, const Shape& shape, std::span<const float> data,
                  const Json* fixture);
void write_tensor(JsonText& out, const Shape& shape, std::span<const float> data, const Json* fixture);
void write_summary(JsonText& out, const Shape& shape, std::span<const float> data, const Json* fixture);

void put_below(Matrix& all, const Matrix& more);  // of equally many columns, unless there is nothing yet
// A matrix of every item, one below the other.
template <class Item, class Get>
Matrix below_each_other(const std::vector<Item>& items, Get get) {
  Matrix all;
  for (const Item& item : items) put_below(all, get(item));
  return all;
}

Matrix matrix(const float* cells, std::int64_t rows, std::int64_t cols);

// Weights given are used as given: the case's "weights", all of them and no others.
void take_weights(const Fields& in, const char* class_name, const std::vector<Parameter*>& parameters);

// A kind of case: reads its fields and writes its results into the open object of the case.
struct EvalKind {
  const char* name;
  void (*compute)(const Fields& in, JsonText& out);
};
std::span<const EvalKind> random_kinds();
std::span<const EvalKind> attention_kinds();
std::span<const EvalKind> layer_kinds();
std::span<const EvalKind> gpt_kinds();

}  // namespace lab
