// The transformer block: what a norm takes away, whom feed-forward touches, the bend, the shortcut; the
// book's exercise 4.3.
#include <algorithm>
#include <cmath>

#include "core/gpt.hpp"
#include "core/layers.hpp"
#include "core/number_text.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"
#include "lessons/transformer_block_lesson.hpp"

namespace lab::questions {
namespace {

using gpt_texts::grouped;

constexpr int kRow = 1, kCol = 1;
int row_of(const Results& r) { return told_row(r, kRow); }
int col_of(const Results& r) { return std::min(kCol, r.inputs.emb_dim - 1); }
const Run& run_of_block(const Results& r) { return r.runs.runs[0]; }
const Trace& trace(const Results& r) { return run_of_block(r).trace; }
const TransformerBlockParams& params(const Results& r) { return run_of_block(r).block->params; }

std::string needs_block(const Results& r, int words) {
  if (r.runs.words.empty()) return no_words();
  if (!run_of_block(r).block)
    return multi_head_texts::cannot_share(r.inputs.emb_dim, r.inputs.heads, "emb_dim");
  return needs_words(r, words);
}

// ---- a row ten times as large -----------------------------------------------------------------------------

constexpr float kTimes = 10;
const char* read_by_norm1(const Results& r) { return r.inputs.post_norm ? "att_added" : "resid_pre"; }
Matrix row_before_norm1(const Results& r) {
  return (r.inputs.post_norm ? trace(r).att_added : trace(r).resid_pre).row(row_of(r));
}
float levelled_number(const Results& r, const Matrix& row) {
  const Matrix mean = row_means(row), var = row_variances(row, mean, r.inputs.unbiased);
  return scaled_and_shifted(params(r).norm1, levelled(row, mean, var, float(r.inputs.eps)))(0, col_of(r));
}
float before_times(const Results& r) { return levelled_number(r, row_before_norm1(r)); }
float after_times(const Results& r) { return levelled_number(r, row_before_norm1(r) * kTimes); }

extern const Question tb1;
const Question tb1 = {
    .id = "tb1",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) -> std::string {
      if (const std::string other = needs_block(r, 1); !other.empty()) return other;
      return r.inputs.emb_dim < 2 ? "One number has no spread: take an emb_dim of 2 or more." : "";
    },
    .asked =
        [](const Results& r) {
          return filled(
              "In row {0} norm1 makes {1} of {2}. Now every number of that row of {3} is multiplied by {4}. "
              "What does norm1 make of it? Two decimals will do.",
              {word(r, row_of(r)), decimals(before_times(r)), decimals(row_before_norm1(r)(0, col_of(r))),
               read_by_norm1(r), decimals(kTimes, 0)});
        },
    .answer = [](const Results& r) { return exactly(after_times(r)); },
    .revealed =
        [](const Results& r) {
          return filled(
              "{0}, as before it was {1}: the spread has grown {2} times as well, and is divided away. What "
              "is "
              "left of the difference is eps, which counts for less in a large row.",
              {decimals(after_times(r)), decimals(before_times(r)), decimals(kTimes, 0)});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      if (is_close(tb1, given, kTimes * before_times(r)))
        return filled("The spread of the row is {0} times as large, too, and norm1 divides by it.",
                      {decimals(kTimes, 0)});
      return "Subtract the mean, divide by the spread: which of the two has not been multiplied?";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {filled("The mean becomes {0} times as large, and the variance {1} times.",
                     {decimals(kTimes, 0), decimals(kTimes * kTimes, 0)}),
              "The variance's root is what the row is divided by."};
    },
    .close = .005,
};

// ---- whom feed-forward touches ----------------------------------------------------------------------------

// Which rows of what feed-forward says move when the row of that word does.
enum Touched { own_row, later_rows, all_rows };
Touched touched_by_ff(const Results& r) {
  const Matrix& read = r.inputs.post_norm ? trace(r).resid_mid : trace(r).norm2;
  Matrix changed = read;
  changed(row_of(r), 0) += 1;
  const FeedForwardParams& ff = params(r).ff;
  const Matrix moved = feed_forward(ff, changed).out - feed_forward(ff, read).out;
  bool earlier = false, later = false;
  for (int row = 0; row < int(moved.rows()); ++row) {
    const bool moves = !moved.row(row).isZero(0);
    earlier |= moves && row < row_of(r);
    later |= moves && row > row_of(r);
  }
  return earlier ? all_rows : later ? later_rows : own_row;
}

const Question tb2 = {
    .id = "tb2",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_block(r, 3); },
    .asked =
        [](const Results& r) {
          return filled(
              "You change the row of {0} just before feed-forward. Which rows of what feed-forward says will "
              "change?",
              {word(r, row_of(r))});
        },
    .answer = [](const Results& r) { return place(touched_by_ff(r)); },
    .revealed =
        [](const Results& r) {
          return filled(
              "Only {0}: feed-forward sees one word at a time. Click its row and change a number of norm2 to "
              "see it.",
              {word(r, row_of(r))});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == place(later_rows)
                 ? "That is what attention does. Feed-forward multiplies each row by itself, with no row "
                   "beside it."
                 : "Not even attention does that: the past never hears what comes later.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Which step of the block lets words hear one another?",
              "Row by row: norm2 @ W has a row for each row, made from that row alone."};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"Only that row", "That row and all later ones", "All rows"};
    },
};

// ---- the bend ---------------------------------------------------------------------------------------------

constexpr float kBent = -1;

extern const Question tb3;
const Question tb3 = {
    .id = "tb3",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) { return needs_block(r, 1); },
    .asked =
        [](const Results&) {
          return filled(
              "Feed-forward's hidden layer holds {0}. What does GELU make of it? Two decimals will do.",
              {decimals(kBent, 0)});
        },
    .answer = [](const Results&) { return exactly(gelu(kBent)); },
    .revealed =
        [](const Results&) {
          return filled("GELU({0}) = {1}: a little gets through, and so the layer below goes on learning.",
                        {decimals(kBent, 0), decimals(gelu(kBent))});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      if (is_close(tb3, given, 0)) return "That is ReLU, which cuts off every negative number.";
      if (is_close(tb3, given, kBent))
        return "Far below zero GELU lets nothing through; here it lets a part.";
      return "A negative number comes out negative, and much smaller.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Look at the curve in the step GELU: left of zero it dips and comes back.",
              filled("It multiplies by a share: at {0} by {1}.",
                     {decimals(kBent, 0), decimals(gelu(kBent) / kBent, 2)})};
    },
    .close = .005,
};

// ---- what the shortcut saves ------------------------------------------------------------------------------

double gradient_ratio(const Results& r) {
  const auto& passes = r.runs.shortcut_passes;
  return passes[1].weight_grad_abs_mean[0] / passes[0].weight_grad_abs_mean[0];
}
constexpr double kFew = 2, kSome = 30, kMany = 1000;

const Question tb4 = {
    .id = "tb4",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_words(r, 1); },
    .asked =
        [](const Results& r) {
          return filled(
              "{0} layers, one backward pass. With shortcuts the first layer's mean gradient is larger than "
              "without. How many times, about?",
              {std::to_string(r.runs.shortcut_passes[0].weight_grad_abs_mean.size())});
        },
    .answer =
        [](const Results& r) {
          return place(nearest(gradient_ratio(r), {kFew, kSome, kMany}));
        },
    .revealed =
        [](const Results& r) {
          const auto& passes = r.runs.shortcut_passes;
          return filled(
              "{0} times: {1} instead of {2}. Without shortcuts the signal must pass every layer above, and "
              "each one shrinks it.",
              {decimals(gradient_ratio(r), 0), decimals(passes[1].weight_grad_abs_mean[0]),
               decimals(passes[0].weight_grad_abs_mean[0], 6)});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == "0" ? "More than one more term: without shortcuts each layer on the way shrinks the "
                            "signal, one after the other."
                          : "What shrinks layer after layer is multiplied, not added.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      const auto& means = r.runs.shortcut_passes[0].weight_grad_abs_mean;
      return {"Without shortcuts the signal passes every layer above the first, and shrinks in each.",
              filled("Without them the last layer gets {0} times as much as the first.",
                     {decimals(means.back() / means.front(), 0)})};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {filled("{0} times", {decimals(kFew, 0)}), filled("{0} times", {decimals(kSome, 0)}),
              filled("{0} times", {decimals(kMany, 0)})};
    },
};

// ---- exercise 4.3 -----------------------------------------------------------------------------------------

constexpr double kRate = .1;  // the book's

bool drops_weights(const Results& r) {
  return run_of_block(r).parts[0].parts[0].trace.dropout_mask.size() != 0;
}
bool drops_rows(const Results& r) { return trace(r).drop_mask1.size() != 0; }

const Question e43 = {
    .id = "e4.3",
    .kind = Question::Kind::setting,
    .lacks = [](const Results& r) { return needs_block(r, 1); },
    .asked =
        [](const Results&) {
          return std::string(
              "The book's one drop_rate becomes three; a block has two of them. Switch training on, and let "
              "dropout act on what the shortcuts add while the attention weights stay whole. Then press "
              "Check.");
        },
    .answer =
        [](const Results&) {
          return filled("training=1&drop_rate_attn=0&drop_rate_shortcut={0}", {number_text(kRate)});
        },
    .revealed =
        [](const Results& r) {
          return filled(
              "drop_rate_attn is {0}: no mask is drawn inside MultiHeadAttention. drop_rate_shortcut is {1}: "
              "two masks of {2} × {3}, one before each plus. The third, drop_rate_emb, acts once, before the "
              "first block.",
              {number_text(rates_of(r.inputs).attention), number_text(rates_of(r.inputs).shortcut),
               std::to_string(r.runs.words.size()), std::to_string(r.inputs.emb_dim)});
        },
    .why_not = [](const Results& r, const std::string&) -> std::string {
      if (!r.inputs.training) return "Training is off, so nothing is dropped at all.";
      if (drops_weights(r))
        return filled("Attention weights are still dropped, with probability {0}.",
                      {number_text(rates_of(r.inputs).attention)});
      return "Nothing is dropped from what the shortcuts add.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"At inference nothing is dropped, whatever the rates are.",
              "A rate of 0 draws no mask: which of the two belongs to attention?",
              filled("Training on, drop_rate_attn 0, drop_rate_shortcut {0}.", {number_text(kRate)})};
    },
    .is_set = [](const Results& r) { return r.inputs.training && !drops_weights(r) && drops_rows(r); },
    .title = "Exercise 4.3",
};

enum Acts { embedding, attention, shortcut };
constexpr DropoutRates kOnly[] = {{.embedding = kRate}, {.attention = kRate}, {.shortcut = kRate}};

// Whose rate leaves a mask inside the attention of the block.
Acts acts_in_attention(const Results& r) {
  const BlockSizes sizes{int(r.runs.words.size()), r.inputs.emb_dim, r.inputs.heads};
  for (const Acts one : {embedding, attention}) {
    TorchRandom random(r.inputs.seed);
    const BlockPass pass = block_passes(sizes, 1, kOnly[one], r.inputs.stream, random).front();
    if (pass.attention.heads[0].dropout_mask.size() != 0) return one;
  }
  return shortcut;
}

const Question e43_where = {
    .id = "e4.3-where",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) { return needs_block(r, 1); },
    .asked =
        [](const Results&) {
          return std::string(
              "drop_rate_emb, drop_rate_attn, drop_rate_shortcut. Which of them is handed to "
              "MultiHeadAttention, and acts within it?");
        },
    .answer = [](const Results& r) { return place(acts_in_attention(r)); },
    .revealed =
        [](const Results& r) {
          return filled(
              "drop_rate_attn: it drops shares, {0} × {0} for each head. The embedding's acts before the "
              "first "
              "block, the shortcut's after each box.",
              {std::to_string(r.runs.words.size())});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == place(embedding)
                 ? "That one acts once, on the sum of token and position, before any block."
                 : "That one acts behind the box, on what attention has already said.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Which of the three drops attention weights?",
              "Follow the line: Dropout stands behind each box. What is dropped inside the first?"};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"drop_rate_emb", "drop_rate_attn", "drop_rate_shortcut"};
    },
    .title = "Exercise 4.3",
};

// GPT-2 small in training, as the book calls it: two texts of four tokens.
constexpr int kTexts = 2, kTokens = 4;
const GptConfig& small() { return gpt_sizes().front().config; }
std::int64_t draws(DropoutRates rates) { return training_draws(small(), kTokens, kTexts, rates); }
constexpr DropoutRates kWithoutShortcut = {.embedding = kRate, .attention = kRate};

extern const Question e43_draws;
const Question e43_draws = {
    .id = "e4.3-draws",
    .kind = Question::Kind::number,
    .lacks = [](const Results&) { return std::string(); },
    .asked =
        [](const Results&) {
          return filled(
              "GPT-2 small, {0} blocks, {1} heads, width {2}, reads {3} texts of {4} tokens in training. The "
              "shortcut's rate is 0, the other two are not. How many random numbers does dropout draw?",
              {std::to_string(small().n_layers), std::to_string(small().n_heads),
               std::to_string(small().emb_dim), std::to_string(kTexts), std::to_string(kTokens)});
        },
    .answer = [](const Results&) { return std::to_string(draws(kWithoutShortcut)); },
    .revealed =
        [](const Results&) {
          return filled(
              "{0}: {1} for the embeddings and {2} for the weights of all heads, hidden ones too. With the "
              "shortcut's rate above 0 it would be {3}.",
              {grouped(draws(kWithoutShortcut)), grouped(draws(kOnly[embedding])),
               grouped(draws(kOnly[attention])), grouped(draws(one_rate(kRate)))});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      const auto is = [&](std::int64_t n) { return is_close(e43_draws, given, double(n)); };
      if (is(draws(kOnly[attention])))
        return "Those are the attention weights. The embeddings are dropped, too.";
      if (is(draws(kOnly[embedding]))) return "Those are the embeddings. Every block drops weights as well.";
      if (is(draws(one_rate(kRate)))) return "So many it would be if the shortcuts dropped something.";
      return "Every cell of every mask takes one number, cells above the diagonal included.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"A rate of 0 draws nothing: two kinds of masks are left.",
              filled("The embeddings: {0} texts, {1} tokens, {2} numbers each.",
                     {std::to_string(kTexts), std::to_string(kTokens), std::to_string(small().emb_dim)}),
              filled("Attention, in each of {0} blocks: {1} texts, {2} heads, {3} × {3} cells.",
                     {std::to_string(small().n_layers), std::to_string(kTexts),
                      std::to_string(small().n_heads), std::to_string(kTokens)})};
    },
    .close = .5,
    .title = "Exercise 4.3",
};

constexpr int kStream = 0, kNorm = 1, kAttention = 3, kFeedForward = 5;  // arrangements
constexpr const char* kRates = "training drop_rate_attn drop_rate_shortcut stream";

}  // namespace

std::span<const Step> transformer_block() {
  const char* stream = "resid_post resid_pre resid_mid att ff_out att_dropped ff_dropped";
  static const Step all[] = {
      asking(tb1, {.cell = {"norm1", kRow, kCol},
                   .arrangement = kNorm,
                   .show = "norm1 resid_pre att_added mean1 var1",
                   .code = "norm1 ="}),
      asking(tb2, {.cell = {"norm2", kRow, 0},
                   .arrangement = kFeedForward,
                   .show = "norm2 resid_mid ff_hidden",
                   .code = "ff_out ="}),
      asking(tb3, {.cell = {"ff_hidden", kRow, 0},
                   .arrangement = kFeedForward,
                   .show = "ff_hidden norm2 resid_mid ff_out"}),
      asking(tb4, {.cell = {"resid_post", kRow, 0}, .arrangement = kStream, .show = stream}),
      asking(e43, {.cell = {"resid_post", kRow, 0},
                   .arrangement = kStream,
                   .show = stream,
                   .code = "resid_mid =",
                   .controls = kRates}),
      asking(e43_where, {.cell = {"att", kRow, 0},
                         .arrangement = kAttention,
                         .show = "att att.heads.*.attn_weights norm1 resid_pre",
                         .controls = kRates}),
      asking(e43_draws,
             {.cell = {"resid_post", kRow, 0}, .arrangement = kStream, .show = stream, .controls = kRates}),
  };
  return all;
}

}  // namespace lab::questions
