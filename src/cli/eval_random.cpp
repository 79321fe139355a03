// The kinds of rng*.json: the random stream and what is drawn from it.
#include <array>

#include "cli/eval_case.hpp"
#include "core/linear.hpp"
#include "core/ops.hpp"
#include "core/torch_random.hpp"

namespace lab {
namespace {

std::span<const float> cells(const Matrix& m) { return {m.data(), std::size_t(m.size())}; }

// The fixture's own tensor out.NAME: its idx says where a large one is printed.
const Json* fixture(const Fields& in, const char* name) { return member(in.raw("out"), name); }

// {"out":{"out":…}}: n numbers in a row, made by fill.
template <class Fill>
void write_row(const Fields& in, std::int64_t n, std::uint64_t seed, JsonText& out, Fill fill) {
  if (!in.ok()) return;
  std::vector<float> row(static_cast<std::size_t>(n));
  TorchRandom random(seed);
  fill(random, row);
  out.key("out").object();
  write_result(out, "out", {n}, row, fixture(in, "out"));
  out.end('}');
}

void rand(const Fields& in, JsonText& out) {
  const std::int64_t n = in.object("args").integer("n", 0, kMaxElements);
  write_row(in, n, in.seed("seed"), out, [](TorchRandom& r, std::span<float> row) { r.rand(row); });
}

void randn(const Fields& in, JsonText& out) {
  const std::int64_t n = in.object("args").integer("n", 0, kMaxElements);
  write_row(in, n, in.seed("seed"), out, [](TorchRandom& r, std::span<float> row) { r.normal_(row, 0, 1); });
}

void uniform_(const Fields& in, JsonText& out) {
  const Fields args = in.object("args");
  const std::int64_t n = args.integer("n", 0, kMaxElements);
  const double a = args.number("a"), b = args.number("b");
  if (a > b) args.complain("a", "is larger than b");
  write_row(in, n, in.seed("seed"), out,
            [=](TorchRandom& r, std::span<float> row) { r.uniform_(row, a, b); });
}

void normal_(const Fields& in, JsonText& out) {
  const Fields args = in.object("args");
  const std::int64_t n = args.integer("n", 0, kMaxElements);
  const double mean = args.number("mean"), std = args.number("std");
  if (std < 0) args.complain("std", "is negative");
  write_row(in, n, in.seed("seed"), out,
            [=](TorchRandom& r, std::span<float> row) { r.normal_(row, mean, std); });
}

void linear(const Fields& in, JsonText& out) {
  const Fields args = in.object("args");
  const std::int64_t d_in = args.integer("in_features", 1, kMaxElements);
  const std::int64_t d_out = args.integer("out_features", 1, kMaxElements);
  const bool bias = args.flag("bias");
  const std::uint64_t seed = in.seed("seed");
  if (elements({d_in + 1, d_out}) > kMaxElements) args.complain("in_features", "× out_features is too large");
  if (!in.ok()) return;
  TorchRandom random(seed);
  const Projection p = drawn_linear("", int(d_in), int(d_out), bias, random, seed);
  out.key("out").object();
  write_result(out, "weight", {d_out, d_in}, cells(p.weight.stored), fixture(in, "weight"));
  if (bias) write_result(out, "bias", {d_out}, cells(p.bias.stored), fixture(in, "bias"));
  out.end('}');
}

void embedding(const Fields& in, JsonText& out) {
  const Fields args = in.object("args");
  const std::int64_t rows = args.integer("num", 1, kMaxElements),
                     width = args.integer("dim", 1, kMaxElements);
  const std::uint64_t seed = in.seed("seed");
  if (elements({rows, width}) > kMaxElements) args.complain("num", "× dim is too large");
  if (!in.ok()) return;
  TorchRandom random(seed);
  out.key("out").object();
  write_result(out, "weight", {rows, width}, cells(drawn_embedding(int(rows), int(width), random)),
               fixture(in, "weight"));
  out.end('}');
}

struct DropoutCase {
  Shape shape;
  double p = 0;
  Matrix input;  // 1 × n
  std::uint64_t seed = 0;
};

DropoutCase dropout_case(const Fields& in) {
  const Fields args = in.object("args");
  DropoutCase c{args.shape("shape"), args.probability("p"), {}, in.seed("seed")};
  const Json* input = args.raw("input");
  if (input && input->is_object()) {
    const FileTensor t = args.tensor("input", c.shape);
    c.input = Eigen::Map<const Matrix>(t.data.data(), 1, Eigen::Index(t.data.size()));
  } else if (input && *input == Json("ones")) {
    if (in.ok()) c.input = Matrix::Ones(1, Eigen::Index(elements(c.shape)));
  } else {
    args.complain("input", "is neither \"ones\" nor a tensor");
  }
  return c;
}

Matrix dropped(const Matrix& input, double p, TorchRandom& random, DropoutStream stream) {
  Matrix mask(input.rows(), input.cols());
  random.dropout_mask({mask.data(), std::size_t(mask.size())}, p, stream);
  return times(input, mask);
}

void dropout(const Fields& in, JsonText& out) {
  const DropoutCase c = dropout_case(in);
  if (!in.ok()) return;
  TorchRandom random(c.seed);
  out.key("out").object();
  write_result(out, "out", c.shape, cells(dropped(c.input, c.p, random, DropoutStream::mac)),
               fixture(in, "out"));
  out.end('}');
}

// Its file puts the tensor itself at out.
void dropout_mkl(const Fields& in, JsonText& out) {
  const DropoutCase c = dropout_case(in);
  if (!in.ok()) return;
  TorchRandom random(c.seed);
  write_result(out, "out", c.shape, cells(dropped(c.input, c.p, random, DropoutStream::mkl)), in.raw("out"));
  std::array<float, 2> after;
  random.rand(after);
  write_result(out, "rand_2_after", {2}, after, nullptr);
}

// ---- sequence: a program of draws from one stream, which shows what the cached normal survives
// --------------

enum class Draw { rand, randn, dropout, linear, randint, randperm };
constexpr struct {
  const char* name;
  Draw draw;
} kDraws[] = {{"rand", Draw::rand},        {"randn", Draw::randn},   {"randn_big", Draw::randn},
              {"dropout", Draw::dropout},  {"linear", Draw::linear}, {"randint", Draw::randint},
              {"randperm", Draw::randperm}};

struct Step {
  Draw draw;
  std::int64_t n;
};

// ["rand", 9]
bool read_step(const Json& j, Step& step) {
  const auto* pair = j.get_ptr<const Json::array_t*>();
  if (!pair || pair->size() != 2 || !(*pair)[1].is_number_unsigned()) return false;
  const auto n = (*pair)[1].get<std::uint64_t>();
  if (n > std::uint64_t(kMaxElements)) return false;
  for (const auto& known : kDraws) {
    if ((*pair)[0] != Json(known.name)) continue;
    step = {known.draw, std::int64_t(n)};
    return known.draw != Draw::linear || n > 0;
  }
  return false;
}

std::vector<Step> program_of(const Fields& in) {
  const Fields args = in.object("args");
  const Json* program = args.raw("program");
  std::vector<Step> steps;
  if (!program || !program->is_array()) {
    args.complain("program", "is not a list of steps");
    return steps;
  }
  std::int64_t total = 0;
  for (const Json& j : *program) {
    Step step{};
    if (!read_step(j, step)) {
      args.complain("program", "has a wrong step: number " + std::to_string(steps.size()) + ", from 0");
      return {};
    }
    total += step.n * 2 + 2;
    if (total > 4 * kMaxWhole) {
      args.complain("program", "draws more than is allowed");
      return {};
    }
    steps.push_back(step);
  }
  return steps;
}

void take(const Step& step, TorchRandom& random, std::uint64_t seed, JsonText& out, const Json* fixture_of) {
  const auto n = static_cast<std::size_t>(step.n);
  const Shape shape{step.n};
  std::vector<float> row(n);
  switch (step.draw) {
    case Draw::rand: random.rand(row); break;
    case Draw::randn: random.normal_(row, 0, 1); break;
    case Draw::dropout: random.dropout_mask(row, 0.5, DropoutStream::mac); break;
    case Draw::linear: {  // Linear(n, 2), its bias drawn but not listed
      const Projection p = drawn_linear("", int(step.n), 2, true, random, seed);
      return write_tensor(out, {2, step.n}, cells(p.weight.stored), fixture_of);
    }
    case Draw::randint: {
      std::vector<std::int64_t> drawn(n);
      for (std::int64_t& x : drawn) x = random.randint(0, 1000);
      out.tensor(shape, drawn);
      return;
    }
    case Draw::randperm: out.tensor(shape, random.randperm(int(step.n))); return;
  }
  write_tensor(out, shape, row, fixture_of);
}

void sequence(const Fields& in, JsonText& out) {
  const std::vector<Step> steps = program_of(in);
  const std::uint64_t seed = in.seed("seed");
  if (!in.ok()) return;
  TorchRandom random(seed);
  const Json* list = in.raw("out_list");
  out.key("out_list").array();
  for (std::size_t i = 0; i < steps.size(); ++i)
    take(steps[i], random, seed, out, list && list->is_array() && i < list->size() ? &(*list)[i] : nullptr);
  out.end(']');
}

constexpr EvalKind kKinds[] = {
    {"rand", rand},         {"randn", randn},         {"uniform_", uniform_}, {"normal_", normal_},  //
    {"Linear", linear},     {"Embedding", embedding}, {"dropout", dropout},   {"dropout_mkl", dropout_mkl},
    {"sequence", sequence},
};

}  // namespace

std::span<const EvalKind> random_kinds() { return kKinds; }

}  // namespace lab
