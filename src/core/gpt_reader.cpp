#include "core/gpt_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/kernels/attention_kernel.hpp"
#include "core/kernels/rows_kernel.hpp"
#include "core/ops.hpp"

namespace lab {
namespace {

constexpr double kSlice = 1e8;                      // multiply-adds of a step, some tens of milliseconds'
enum Length { pre, att, mid, ff, post, kLengths };  // columns of GptBlockReading::lengths

// x: rows × in; rows × out.
Matrix times_weight(const Matrix& x, const Parameter& weight, const Parameter* bias = nullptr) {
  Matrix y(x.rows(), weight.stored.rows());
  const bool has_bias = bias && !bias->empty();
  rows_times_weight(x.data(), x.rows(), x.cols(), weight.stored.data(), weight.stored.rows(),
                    has_bias ? bias->stored.data() : nullptr, y.data());
  return y;
}
Matrix times_weight(const Matrix& x, const Projection& p) { return times_weight(x, p.weight, &p.bias); }

void put_rows(Matrix& all, Eigen::Index first, const Matrix& rows) {
  if (all.rows() < first + rows.rows()) all.conservativeResize(first + rows.rows(), rows.cols());
  all.middleRows(first, rows.rows()) = rows;
}

}  // namespace

int glance_size(const GptConfig& c, int tokens) {
  constexpr int kSide = 288;  // of all of them together
  return std::min(tokens, std::clamp(kSide / std::max(c.n_layers, c.n_heads), 6, kGlance));
}
int GptReader::glance_place(int token) const { return token * glance_ / given_; }

GptReader::GptReader(const GptParams& params, std::vector<int> ids, GptHow how)
    : params_(params),
      ids_(std::move(ids)),
      how_(std::move(how)),
      given_(int(ids_.size())),
      glance_(glance_size(params.config, given_)),
      blocks_(params.trf_blocks.size()) {}

std::int64_t GptReader::numbers_kept(const GptConfig& c, int tokens, bool keep_stream) {
  const std::int64_t heads = std::int64_t(c.n_heads) * (kGlance * kGlance + tokens);
  return c.n_layers * (std::int64_t(tokens) * c.emb_dim * (keep_stream ? 5 : 3) + heads) +
         2 * std::int64_t(tokens) * c.emb_dim;
}

void GptReader::append(int id) {
  ids_.push_back(id);
  block_ = 0;
}

void GptReader::forget_appended() {
  ids_.resize(std::size_t(given_));
  read_ = given_;
  block_ = last_block() + 1;
  row_ = 0;
  logits_ = given_logits_;
}

double GptReader::progress() const {
  const double in_block = rows_new() ? double(row_) / rows_new() : 0;
  return done() ? 1 : (block_ + in_block) / double(last_block() + 1);
}

int GptReader::rows_at_once() const {
  const double of_a_row = 12.0 * params_.config.emb_dim * params_.config.emb_dim;
  return std::clamp(int(kSlice / of_a_row) / 4 * 4, 4, 64);
}

void GptReader::step() {
  if (done()) return;
  if (block_ == 0 && row_ == 0) embed_new();
  if (block_ == last_block()) {
    read_head();
    ++block_;
    return;
  }
  GptBlockReading& b = blocks_[std::size_t(block_)];
  const int rows = std::min(rows_at_once(), rows_new() - row_);
  read_rows(params_.trf_blocks[std::size_t(block_)], b, row_, rows);
  row_ += rows;
  if (row_ < rows_new()) return;
  if (read_ == 0) end_block(b);
  row_ = 0;
  ++block_;
}

void GptReader::embed_new() {
  x_.resize(rows_new(), params_.config.emb_dim);
  for (int t = read_; t < int(ids_.size()); ++t)
    x_.row(t - read_) = params_.tok_emb.stored.row(ids_[std::size_t(t)]) + params_.pos_emb.stored.row(t);
}

// For each row of context, which stand behind `first` others: what each head sees in the rows up to it.
void GptReader::attend(GptBlockReading& b, int first, Matrix& context) {
  const int heads = params_.config.n_heads, width = params_.config.emb_dim / heads;
  const float scale = how_.scaled ? 1 / std::sqrt(float(width)) : 1;
  std::vector<float> shares(std::size_t(first) + std::size_t(context.rows()));
  for (int h = 0; h < heads; ++h) {
    const HeadRows keys{b.keys.data() + h * width, b.keys.cols(), width},
        values{b.values.data() + h * width, b.values.cols(), width};
    const bool off = std::count(how_.off.begin(), how_.off.end(), block_ * heads + h) > 0;
    for (int i = 0; i < int(context.rows()); ++i) {
      const int t = first + i;
      scores_of_row(b.queries.row(t).data() + h * width, keys, t + 1, scale, shares.data());
      if (t < given_)
        for (int s = 0; s <= t; ++s) b.heads[std::size_t(h)].score.add(double(shares[std::size_t(s)]));
      softmax_of_row(shares.data(), t + 1);
      float* out = context.row(i).data() + h * width;
      if (off)
        std::fill(out, out + width, 0.f);
      else
        context_of_row(shares.data(), values, t + 1, out);
      if (t < given_) look_at_row(b.heads[std::size_t(h)], shares.data(), t);
    }
  }
}

// Sums first, end_block() makes means of them.
void GptReader::look_at_row(HeadGlance& head, const float* shares, int row) {
  const int r = glance_place(row);
  for (int s = 0; s <= row; ++s) head.map(r, glance_place(s)) += shares[s] * float(row + 1);
  if (row + 1 == given_) head.last_row = Eigen::Map<const Matrix>(shares, 1, given_);
}

// Pre-norm, as the book has it.
void GptReader::read_rows(const TransformerBlockParams& p, GptBlockReading& b, int first, int rows) {
  const int at = read_ + first;
  if (at == 0) {
    b.heads.assign(std::size_t(params_.config.n_heads), {Matrix::Zero(glance_, glance_), {}, {}});
    for (Matrix* m : {&b.queries, &b.keys, &b.values}) m->resize(given_ + how_.more, x_.cols());
    if (how_.keep_stream)
      for (Matrix* m : {&b.resid_pre, &b.resid_mid}) m->resize(given_, x_.cols());
    b.lengths.resize(given_, kLengths);
    b.figures.likeness = likeness_of_rows(x_);
  }
  Matrix x = x_.middleRows(first, rows);
  const auto measure = [&](Length which, const Matrix& of) {
    if (at < given_) b.lengths.block(at, which, rows, 1) = of.rowwise().norm();
  };
  measure(pre, x);
  const bool keeps = how_.keep_stream && at < given_;
  if (keeps) put_rows(b.resid_pre, at, x);
  const Matrix norm1 = layer_norm(p.norm1, x);
  if (at < given_)
    for (Eigen::Index i = 0; i < norm1.size(); ++i) b.norm.add(double(norm1.data()[i]));
  put_rows(b.queries, at, times_weight(norm1, p.att.W_query));
  put_rows(b.keys, at, times_weight(norm1, p.att.W_key));
  put_rows(b.values, at, times_weight(norm1, p.att.W_value));
  Matrix context(rows, x.cols());
  attend(b, at, context);
  const Matrix said = times_weight(context, p.att.out_proj);
  measure(att, said);
  x = how_.shortcuts ? Matrix(x + said) : said;
  measure(mid, x);
  if (keeps) put_rows(b.resid_mid, at, x);
  const Matrix hidden = gelu(times_weight(layer_norm(p.norm2, x), p.ff.expand));
  const Matrix added = times_weight(hidden, p.ff.contract);
  measure(ff, added);
  x = how_.shortcuts ? Matrix(x + added) : added;
  measure(post, x);
  x_.middleRows(first, rows) = x;
}

void GptReader::end_block(GptBlockReading& b) {
  Matrix cells = Matrix::Zero(glance_, glance_);
  for (int t = 0; t < given_; ++t)
    for (int s = 0; s <= t; ++s) cells(glance_place(t), glance_place(s)) += 1;
  for (HeadGlance& head : b.heads)
    for (int r = 0; r < glance_; ++r)
      for (int c = 0; c <= r; ++c)
        head.map(r, c) = std::clamp(std::log2(head.map(r, c) / cells(r, c)), -1.f, 1.f);
  const auto mean = [&](Length which) { return double(b.lengths.col(which).mean()); };
  Spread projected;
  for (const Matrix* m : {&b.queries, &b.keys})
    for (Eigen::Index i = 0; i < given_ * m->cols(); ++i) projected.add(double(m->data()[i]));
  b.figures = {mean(pre),  mean(att),          mean(mid),       mean(ff),
               mean(post), b.figures.likeness, b.norm.spread(), projected.spread()};
}

double Spread::spread() const {
  if (count < 2) return 0;
  return std::sqrt(std::max(0.0, squares - sum * sum / double(count)) / double(count - 1));
}

const Parameter& GptReader::head() const {
  return how_.tied || params_.out_head.empty() ? params_.tok_emb : params_.out_head;
}

Matrix GptReader::all_final_norms() const {
  const Matrix rows = out_.topRows(given_);
  return params_.config.dummy ? rows : layer_norm(params_.final_norm, rows);
}
Matrix GptReader::all_logits() const { return times_weight(all_final_norms(), head()); }

void GptReader::read_head() {
  normed_ = x_.bottomRows(1);
  if (!params_.config.dummy) normed_ = layer_norm(params_.final_norm, normed_);
  logits_ = times_weight(normed_, head());
  if (read_ == 0) {
    out_.resize(given_ + how_.more, x_.cols());
    likeness_ = likeness_of_rows(x_);
    length_ = mean_length(x_);
    given_logits_ = logits_;
    given_normed_ = normed_;
  }
  put_rows(out_, read_, x_);
  read_ = int(ids_.size());
}

// Of n unit vectors the squared length of their sum is n and all the cosines twice; rows of zeros add
// nothing to either.
double likeness_of_rows(const Matrix& x) {
  const Eigen::Index n = x.rows();
  if (n < 2) return 1;
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(x.cols());
  Eigen::Index with_direction = 0;
  for (Eigen::Index r = 0; r < n; ++r) {
    sum += x.row(r).cast<double>().normalized();  // leaves zeros as they are
    with_direction += !x.row(r).isZero(0);
  }
  return (sum.squaredNorm() - double(with_direction)) / (double(n) * double(n - 1));
}

double mean_length(const Matrix& x) { return x.rows() ? row_lengths(x).cast<double>().mean() : 0; }

NextTokens next_tokens(const Matrix& logits, int most, double temperature, int top_k) {
  NextTokens next;
  const auto n = std::size_t(logits.size()), kept = top_k > 0 ? std::min(n, std::size_t(top_k)) : n;
  if (n == 0) return next;
  const float* l = logits.data();
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto sorted = std::min(n, std::max(std::size_t(most), kept < n ? kept : 0));
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(sorted), order.end(),
                    [&](int a, int b) { return l[a] != l[b] ? l[a] > l[b] : a < b; });
  const double largest = double(l[order[0]]);
  const auto apart = [&](int id) { return (double(l[id]) - largest) / temperature; };
  double total = 0, weighted = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    const double e = std::exp(apart(order[i]));
    total += e;
    weighted += e * apart(order[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    sum += double(l[i]);
    squares += double(l[i]) * double(l[i]);
  }
  next.entropy = std::log(total) - weighted / total;
  next.log_total = largest / temperature + std::log(total);
  next.spread = std::sqrt(std::max(0.0, squares / double(n) - sum / double(n) * (sum / double(n))));
  for (std::size_t i = 0; i < std::min({n, kept, std::size_t(most)}); ++i)
    next.top.push_back({order[i], std::exp(apart(order[i])) / total});
  return next;
}

Matrix shares_of(const Matrix& logits, double temperature, int top_k) {
  Matrix shares = Matrix::Zero(logits.rows(), logits.cols());
  for (Eigen::Index r = 0; r < logits.rows(); ++r)
    for (const NextToken& t : next_tokens(logits.row(r), int(logits.cols()), temperature, top_k).top)
      shares(r, t.id) = float(t.share);
  return shares;
}

int token_by_chance(const Matrix& logits, double temperature, int top_k, float u) {
  NextTokens all = next_tokens(logits, int(logits.size()), temperature, top_k);
  std::sort(all.top.begin(), all.top.end(),
            [](const NextToken& a, const NextToken& b) { return a.id < b.id; });
  double end = 0;
  for (const NextToken& t : all.top) {
    end += t.share;
    if (end > double(u)) return t.id;
  }
  return all.top.back().id;
}

}  // namespace lab
