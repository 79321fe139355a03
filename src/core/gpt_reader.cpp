#include "core/gpt_reader.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernels/rows_kernel.hpp"
#include "core/ops.hpp"

namespace lab {
namespace {

// x: rows × in; rows × out.
Matrix times_weight(const Matrix& x, const Parameter& weight, const Parameter* bias = nullptr) {
  Matrix y(x.rows(), weight.stored.rows());
  const bool has_bias = bias && !bias->empty();
  rows_times_weight(x.data(), x.rows(), x.cols(), weight.stored.data(), weight.stored.rows(),
                    has_bias ? bias->stored.data() : nullptr, y.data());
  return y;
}
Matrix times_weight(const Matrix& x, const Projection& p) { return times_weight(x, p.weight, &p.bias); }

void append_rows(Matrix& all, const Matrix& rows) {
  all.conservativeResize(all.rows() + rows.rows(), rows.cols());
  all.bottomRows(rows.rows()) = rows;
}

}  // namespace

GptReader::GptReader(const GptParams& params, std::vector<int> ids, GptHow how)
    : params_(params), ids_(std::move(ids)), how_(std::move(how)), blocks_(params.trf_blocks.size()) {
  for (GptBlockReading& b : blocks_) b.attn_weights.resize(std::size_t(params.config.n_heads));
}

void GptReader::append(int id) {
  ids_.push_back(id);
  block_ = 0;
}

void GptReader::step() {
  if (done()) return;
  if (block_ == 0) embed_new();
  if (block_ < int(blocks_.size()))
    read_block(params_.trf_blocks[std::size_t(block_)], blocks_[std::size_t(block_)], block_);
  else
    read_head();
  ++block_;
}

void GptReader::embed_new() {
  const int n = int(ids_.size()), width = params_.config.emb_dim;
  x_.resize(n - read_, width);
  for (int t = read_; t < n; ++t)
    x_.row(t - read_) = params_.tok_emb.stored.row(ids_[std::size_t(t)]) + params_.pos_emb.stored.row(t);
}

// For each new row: what each head sees in the rows up to it.
void GptReader::attend(GptBlockReading& b, int index, Matrix& context) {
  const int heads = params_.config.n_heads, width = params_.config.emb_dim / heads;
  const int all = int(b.keys.rows()), first = all - int(context.rows());
  const float scale = how_.gain / (how_.scaled ? std::sqrt(float(width)) : 1.f);
  for (int h = 0; h < heads; ++h) {
    Matrix& weights = b.attn_weights[std::size_t(h)];
    weights.conservativeResize(all, all);
    weights.rightCols(all - first).setZero();
    const bool off = std::count(how_.off.begin(), how_.off.end(), index * heads + h) > 0;
    for (int t = first; t < all; ++t) {
      auto row = weights.row(t);
      row.setZero();
      float most = -std::numeric_limits<float>::infinity(), total = 0;
      for (int s = 0; s <= t; ++s) {
        const float score =
            b.queries.row(t).segment(h * width, width).dot(b.keys.row(s).segment(h * width, width));
        row(s) = score * scale;
        most = std::max(most, row(s));
      }
      for (int s = 0; s <= t; ++s) total += row(s) = std::exp(row(s) - most);
      auto out = context.row(t - first).segment(h * width, width);
      out.setZero();
      for (int s = 0; s <= t; ++s) {
        row(s) /= total;
        if (!off) out += row(s) * b.values.row(s).segment(h * width, width);
      }
    }
  }
}

void GptReader::read_block(const TransformerBlockParams& p, GptBlockReading& b, int index) {
  append_rows(b.resid_pre, x_);
  const Matrix norm1 = layer_norm(p.norm1, x_);
  append_rows(b.queries, times_weight(norm1, p.att.W_query));
  append_rows(b.keys, times_weight(norm1, p.att.W_key));
  append_rows(b.values, times_weight(norm1, p.att.W_value));
  Matrix context(x_.rows(), x_.cols());
  attend(b, index, context);
  const Matrix att = times_weight(context, p.att.out_proj);
  x_ = how_.shortcuts ? Matrix(x_ + att) : att;
  append_rows(b.resid_mid, x_);
  const Matrix hidden = gelu(times_weight(layer_norm(p.norm2, x_), p.ff.expand));
  const Matrix ff = times_weight(hidden, p.ff.contract);
  x_ = how_.shortcuts ? Matrix(x_ + ff) : ff;
}

const Parameter& GptReader::head() const {
  return how_.tied || params_.out_head.empty() ? params_.tok_emb : params_.out_head;
}

Matrix GptReader::all_logits() const { return times_weight(layer_norm(params_.final_norm, out_), head()); }

void GptReader::read_head() {
  normed_ = layer_norm(params_.final_norm, Matrix(x_.bottomRows(1)));
  logits_ = times_weight(normed_, head());
  append_rows(out_, x_);
  read_ = int(ids_.size());
}

Matrix relative_weights(const Matrix& weights) {
  Matrix m = Matrix::Zero(weights.rows(), weights.cols());
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c <= r; ++c)
      m(r, c) = std::clamp(std::log2(weights(r, c) * float(r + 1)), -1.f, 1.f);
  return m;
}

float boldness_of(const Matrix& weights) {
  const float even = 1 / float(weights.cols()), most = weights.row(weights.rows() - 1).maxCoeff();
  return std::clamp(std::log2(most / even), 0.f, 1.f);
}

double likeness_of_rows(const Matrix& x) {
  double sum = 0;
  int pairs = 0;
  for (Eigen::Index a = 0; a < x.rows(); ++a)
    for (Eigen::Index b = a + 1; b < x.rows(); ++b, ++pairs)
      sum += double(x.row(a).dot(x.row(b))) / (double(x.row(a).norm()) * double(x.row(b).norm()));
  return pairs ? sum / pairs : 1;
}

double mean_length(const Matrix& x) { return x.rows() ? row_lengths(x).cast<double>().mean() : 0; }

NextTokens next_tokens(const Matrix& logits, int most, double temperature) {
  NextTokens next;
  const auto n = std::size_t(logits.size());
  if (n == 0) return next;
  const float* l = logits.data();
  const double largest = double(*std::max_element(l, l + n));
  double total = 0, sum = 0, squares = 0, weighted = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double apart = (double(l[i]) - largest) / temperature, e = std::exp(apart);
    total += e;
    weighted += e * apart;
    sum += double(l[i]);
    squares += double(l[i]) * double(l[i]);
  }
  next.entropy = std::log(total) - weighted / total;
  next.log_total = largest / temperature + std::log(total);
  next.spread = std::sqrt(std::max(0.0, squares / double(n) - sum / double(n) * (sum / double(n))));
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto end = order.begin() + std::min<std::ptrdiff_t>(most, std::ptrdiff_t(n));
  std::partial_sort(order.begin(), end, order.end(),
                    [&](int a, int b) { return l[a] != l[b] ? l[a] > l[b] : a < b; });
  for (auto it = order.begin(); it != end; ++it)
    next.top.push_back({*it, std::exp((double(l[*it]) - largest) / temperature) / total});
  return next;
}

}  // namespace lab
