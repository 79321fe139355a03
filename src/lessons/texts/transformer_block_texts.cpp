#include "lessons/texts/transformer_block_texts.hpp"

#include <algorithm>
#include <cmath>

#include "core/compare.hpp"
#include "core/layers.hpp"
#include "core/number_text.hpp"
#include "core/ops.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"

namespace lab::transformer_block_texts {
namespace {

constexpr int kRow = 1;  // the word that the sentences speak of, where there is one more than the first

bool no_block(const Results& r) { return r.runs.words.empty() || !r.runs.runs[0].block; }
std::string instead(const Results& r) {
  return r.runs.words.empty() ? no_words()
                              : multi_head_texts::cannot_share(r.inputs.emb_dim, r.inputs.heads, "emb_dim");
}

std::string text(int n) { return std::to_string(n); }
int row_of(const Results& r) { return told_row(r, kRow); }
// The cell of that word's row, in this column or the last that there is.
std::string at(const Results& r, const char* matrix, int column = 0) {
  return number(r, matrix, row_of(r), std::min(column, r.inputs.emb_dim - 1));
}
const char* read_by_norm1(const Results& r) { return r.inputs.post_norm ? "att_added" : "resid_pre"; }
std::string cosine_text(const Results& r) {
  const auto before = cells_of(r, "resid_pre"), after = cells_of(r, "resid_post");
  return decimals(likeness(*before, *after));
}

bool is_all_zero(const Results& r, const char* matrix) { return cells_of(r, matrix)->isZero(0); }

std::string stream_text(const Results& r) {
  if (no_block(r)) return instead(r);
  const std::string name = word(r, row_of(r)), in = at(r, "resid_pre"), out = at(r, "resid_post");
  if (is_off(r, "att") && is_off(r, "ff") && r.inputs.shortcuts && !r.inputs.post_norm)
    return filled(
        "Both boxes are silent, so nothing is added: what leaves is what came in. The first number of {0}: "
        "{1}, and at the end {2}.",
        {name, in, out});
  if (!r.inputs.shortcuts)
    return filled(
        "The shortcuts are off: nothing runs past the boxes. Of the {1} that came in for {0} nothing is "
        "left; {2} is only what the last box made. Output and input are alike by {3}, where 1 is the "
        "same{4}.",
        {name, in, out, cosine_text(r),
         is_all_zero(r, "resid_post") ? ", for rows of zeros point nowhere" : ""});
  if (r.inputs.post_norm)
    return filled(
        "Now each plus is followed by a norm, which sits on the line itself. {0} enters with {1}, is {2} "
        "after the first norm and {3} after the second: the line is no longer a plain sum.",
        {name, in, at(r, "resid_mid"), out});
  return filled(
      "Follow the line. Nothing on it is replaced; two boxes only add to it. The first number of {0}: {1}, "
      "plus {2} from attention, plus {3} from feed-forward: {4}.",
      {name, in, at(r, added_by_attention(r)), at(r, added_by_ff(r)), out});
}

// What moves a levelled row's variance away from 1.
std::string why_not_level(const Results& r) {
  constexpr double kSmall = 1e-3;
  std::string why;
  if (r.inputs.unbiased) why = "it was divided by n − 1";
  if (r.inputs.eps > kSmall)
    why += (why.empty() ? "" : ", and ") + filled("eps is {0}", {number_text(r.inputs.eps)});
  if (why.empty() && !r.inputs.edits.empty()) why = "something was changed by hand";
  return why.empty() ? "eps counts beside so small a variance" : why;
}

// "Mean 0, variance 1, for each word alone", or what mean and variance became.
std::string levelled_to(const Results& r) {
  constexpr double kNear = .01;
  const Matrix row = cells_of(r, "norm1")->row(row_of(r)), mean = row_means(row);
  const double m = double(mean(0, 0)), v = double(row_variances(row, mean, false)(0, 0));
  if (std::abs(m) < kNear && std::abs(v - 1) < kNear) return "Mean 0, variance 1, for each word alone";
  return filled("Mean {0}, and variance {1}, not 1, over all {2}: {3}",
                {decimals(m), decimals(v), counted(r.inputs.emb_dim, "number"), why_not_level(r)});
}

std::string norm1_text(const Results& r) {
  if (no_block(r)) return instead(r);
  if (cells_of(r, "norm1")->row(row_of(r)).array().isNaN().any())
    return r.inputs.emb_dim == 1 && r.inputs.unbiased
               ? "One number has no spread, and n − 1 is 0: its variance is 0 ÷ 0, and that is NaN."
               : not_numbers("norm1");
  if (r.inputs.emb_dim == 1) return "One number has no spread. Less its mean it is 0, and 0 it stays.";
  const std::string name = word(r, row_of(r)), x = at(r, read_by_norm1(r), 1);
  const auto var = cells_of(r, "var1");
  if ((*var)(row_of(r), 0) == 0)
    return filled(
        "All numbers of {0} are equal: less their mean nothing is left, and eps saves us from dividing by 0.",
        {name});
  return filled(
      "LayerNorm takes one row at a time. {0} has mean {1} and variance {2}. Subtract the one, divide by the "
      "root of the other: {3} becomes {4}. {5}.",
      {name, at(r, "mean1"), at(r, "var1"), x, at(r, "norm1", 1), levelled_to(r)});
}

std::string norm_book_text(const Results& r) {
  const auto v = number(r, "book.var", 0, 0), after = number(r, "book.var_after", 0, 0);
  if (r.inputs.unbiased)
    return filled(
        "Divided by 5 instead of 6, the variance is {0} and the first cell {1}, as in the book's first try. "
        "GPT divides by the full width, 6: so did the library it was first written with.",
        {v, number(r, "book.norm", 0, 0)});
  if (r.inputs.eps == 0)
    return filled(
        "Without eps the variance comes out as {0}. But a row of equal numbers has variance 0, and 0 ÷ 0 is "
        "NaN: eps costs little and saves such rows.",
        {after});
  return filled(
      "The book's first row has variance {0}. To be safe from dividing by 0, a small eps, {1}, is added "
      "first. So the result has variance {2}, not 1: {0} ÷ ({0} + eps).",
      {v, number_text(r.inputs.eps), after});
}

bool all_heads_off(const Results& r) {
  for (int h = 0; h < r.inputs.heads; ++h)
    if (!is_off(r, text(h).c_str())) return false;
  return true;
}

std::string att_text(const Results& r) {
  if (no_block(r)) return instead(r);
  if (is_off(r, "att"))
    return "Attention is switched off: it says 0 for every word, and none hears another. What is left of the "
           "block treats each word alone.";
  if (all_heads_off(r))
    return "All heads are switched off, and no word hears another. What is left of attention is out_proj's "
           "bias, the same for every word.";
  const int last = int(r.runs.words.size()) - 1, here = row_of(r);
  const std::string sizes =
      filled("Masked multi-head attention, {0} of {1}. ",
             {counted(r.inputs.heads, "head"), counted(r.inputs.emb_dim / r.inputs.heads, "number")});
  if (last < 2)
    return sizes +
           "This is the only place in the block where words hear one another. Take a longer sentence to see "
           "it.";
  return sizes + filled(
                     "This is the only place in the block where words hear one another. Change {0}, the last "
                     "word, and only its own row moves. Change {1}, and all rows from {1} on move.",
                     {word(r, last), word(r, here)});
}

// "0.1841 + 0.2167 = 0.4008"
std::string sum_text(const Results& r, const char* a, const char* b, const char* sum) {
  return filled("{0} + {1} = {2}", {at(r, a), at(r, b), at(r, sum)});
}

std::string add1_text(const Results& r) {
  if (no_block(r)) return instead(r);
  const char* sum = r.inputs.post_norm ? "att_added" : "resid_mid";
  if (!r.inputs.shortcuts)
    return filled(
        "The shortcut is off: {0} goes on with what attention said, {1}, and its own {2} is lost. With "
        "shortcuts on, look at how alike output and input are; now it is {3}.",
        {word(r, row_of(r)), at(r, sum), at(r, "resid_pre"), cosine_text(r)});
  return filled(
      "The shortcut: what attention says is added to what was there before. {0}. The word keeps itself and "
      "adds what it heard. The plus is no layer; it has nothing to learn.",
      {sum_text(r, "resid_pre", added_by_attention(r), sum)});
}

// How many numbers training may change.
int trainable(const std::vector<const Parameter*>& parameters) {
  int n = 0;
  for (const Parameter* p : parameters) n += int(p->stored.size());
  return n;
}

std::string ff_text(const Results& r) {
  if (no_block(r)) return instead(r);
  const int d = r.inputs.emb_dim;
  const TransformerBlockParams& p = r.runs.runs[0].block->params;
  const FeedForwardParams& layers = p.ff;
  return filled(
      "Feed-forward: from {0} to {1}, bend, and back to {0}. It treats each word alone: change {2} before "
      "it, and only row {2} changes after it. Its {3} parameters are about twice attention's {4}.",
      {counted(d, "number"), text(4 * d), word(r, row_of(r)),
       text(trainable(
           {&layers.expand.weight, &layers.expand.bias, &layers.contract.weight, &layers.contract.bias})),
       text(trainable(parameters(p.att)))});
}

std::string gelu_text(const Results& r) {
  if (no_block(r)) return instead(r);
  const auto hidden = cells_of(r, "ff_hidden");
  const int negative = int((hidden->row(row_of(r)).array() < 0).count()), all = int(hidden->cols());
  const std::vector<std::string> words = {word(r, row_of(r)), text(all), text(negative),
                                          decimals(double(gelu(-1.f))), decimals(double(gelu(-.75f)))};
  if (r.inputs.relu)
    return filled(
        "ReLU stands in place of GELU: every negative becomes 0. Of the {1} numbers of {0}, {2} are silent "
        "now, and where the line is flat nothing can be learned.",
        words);
  return filled(
      "ReLU cuts every negative to 0. GELU lets a little through: -1 becomes {3}, and the lowest point is "
      "{4} near -0.75. Of the {1} numbers of {0}, {2} are negative: ReLU would silence them all.",
      words);
}

std::string add2_text(const Results& r) {
  if (no_block(r)) return instead(r);
  const std::string shape = filled("{0} × {1}", {text(int(r.runs.words.size())), text(r.inputs.emb_dim)});
  const char* sum = r.inputs.post_norm ? "ff_added" : "resid_post";
  if (!r.inputs.shortcuts)
    return filled(
        "Without the second shortcut {0} leaves as what feed-forward said, {1}. The shape is still {2}: it "
        "fits, and yet the stream is gone.",
        {word(r, row_of(r)), at(r, sum), shape});
  return filled(
      "Second plus: {0}. What leaves has the shape of what came in, {1}. That is why blocks can be stacked, "
      "twelve or forty-eight high.",
      {sum_text(r, "resid_mid", added_by_ff(r), sum), shape});
}

// What becomes of the rows' mean length on the way up.
std::string lengths_text(const std::vector<double>& lengths, bool post_norm) {
  constexpr double kDrift = 10;  // times as long, or as short
  const double first = lengths.front(), last = lengths.back();
  const std::vector<std::string> ends = {decimals(first), decimals(last)};
  const auto alike = [&](double length) { return std::abs(length - last) <= .01 * last; };
  if (post_norm && std::all_of(lengths.begin() + 1, lengths.end(), alike))
    return filled("With a norm behind each plus, rows are about {1} long behind every block.", ends);
  if (first == last)
    return filled("The rows' mean length is {0}, before the first block and behind the last.", ends);
  const std::string goes = filled("The rows' mean length goes from {0} to {1}", ends);
  if (post_norm) return goes + ", with a norm behind each plus.";
  return goes + (last > kDrift * first   ? ": it grows."
                 : last * kDrift < first ? ": it shrinks."
                                         : ": it drifts and does not explode.");
}

std::string stack_text(const Results& r) {
  if (no_block(r)) return instead(r);
  if (!r.stack || !r.stack->done())
    return filled("{0} blocks are being drawn and stacked, one on top of the other.", {text(kStacked)});
  const bool post = r.inputs.post_norm;
  const BlockStack::Levels &with = r.stack->levels({true, post}), &without = r.stack->levels({false, post});
  for (const BlockStack::Levels* levels : {&with, &without})
    for (std::size_t i = 0; i < levels->lengths.size(); ++i)
      if (!std::isfinite(levels->lengths[i]) || !std::isfinite(levels->likeness[i]))
        return filled(
            "Behind block {0} of twelve, rows hold NaN or ∞: they have no length and no direction, "
            "and whatever stands on top of them has none either. Undo brings the numbers back.",
            {text(int(i))});
  const std::string lengths = lengths_text(with.lengths, post);
  if (r.runs.words.size() < 2) return lengths + " One word alone has nobody to grow like.";
  if (without.lengths.back() == 0)
    return lengths + filled(
                         " Without shortcuts rows end as zeros, which point nowhere: their likeness counts "
                         "as {0}, with shortcuts it is {1}.",
                         {decimals(without.likeness.back()), decimals(with.likeness.back())});
  const bool merge = without.likeness.back() > .99 && with.likeness.back() < .99;
  return lengths + filled(merge ? " Cut the shortcuts, and the words become one: their likeness ends at {0}, "
                                  "where with shortcuts it is {1}."
                                : " Without shortcuts the words' likeness ends at {0}, with them at {1}.",
                          {decimals(without.likeness.back()), decimals(with.likeness.back())});
}

// With four digits that count, "0.0002017".
std::string four_digits(double value) {
  return decimals(value, value > 0 ? std::max(4, 3 - int(std::floor(std::log10(value)))) : 4);
}

std::string gradients_text(const Results& r) {
  const auto& passes = r.runs.shortcut_passes;
  if (passes.size() < 2) return no_words();
  const double without = passes[0].weight_grad_abs_mean[0], with = passes[1].weight_grad_abs_mean[0];
  return filled(
      "Five layers, one backward pass. Without shortcuts layer 0 receives a mean gradient of {0}, with them "
      "{1}: {2} times as much. Each plus is an open road for the gradient, so the first layer learns too.",
      {four_digits(without), four_digits(with), decimals(with / without, 0)});
}

bool all_about(const Matrix& lengths, double wanted) {
  constexpr double kNear = .01;
  return ((lengths.cast<double>().array() - wanted).abs() < kNear * wanted).all();
}

std::string order_text(const Results& r) {
  if (no_block(r)) return instead(r);
  const auto before = cells_of(r, r.inputs.post_norm ? "pre.resid_post" : "resid_post"),
             after = cells_of(r, r.inputs.post_norm ? "resid_post" : "post.resid_post");
  const double root = std::sqrt(double(r.inputs.emb_dim));
  const std::vector<std::string> words = {text(r.inputs.emb_dim), decimals(root),
                                          decimals(vector_length(*after, row_of(r))),
                                          decimals(vector_length(*before, row_of(r))), word(r, row_of(r))};
  const std::string free = "GPT norms before each box and leaves the line free. ";
  if (all_about(row_lengths(*after), root))
    return free + filled(
                      "Norm after the plus, and each row is forced to about the same length, √{0} = {1}: {4} "
                      "has {2}, where norm before gives {3}.",
                      words);
  return free +
         filled(
             "Norm after the plus levels each row: {4} has length {2}, where norm before gives {3}. "
             "√{0} = {1} would be the length of variance 1: ",
             words) +
         (r.inputs.emb_dim == 1 ? "one number less its mean is 0" : why_not_level(r)) + ".";
}

}  // namespace

bool is_off(const Results& r, const char* box) {
  return std::find(r.inputs.off.begin(), r.inputs.off.end(), box) != r.inputs.off.end();
}
const char* added_by_attention(const Results& r) {
  return cells_of(r, "att_dropped") ? "att_dropped" : "att";
}
const char* added_by_ff(const Results& r) { return cells_of(r, "ff_dropped") ? "ff_dropped" : "ff_out"; }

const LessonText lesson = {"Transformer block",
                           "Normalize, attend, add back; normalize, feed forward, add back. The shortcut "
                           "carries the stream straight through."};
const StepText stream = {"One line straight through", stream_text};
const StepText norm1 = {"Level the row", norm1_text};
const StepText norm_book = {"Why 0.9995?", norm_book_text, "eps"};
const StepText att = {"Words meet here", att_text, "Attention"};
const StepText add1 = {"Add it back", add1_text, "Add"};
const StepText ff = {"Four times wider", ff_text, "Feed-forward"};
const StepText gelu_step = {"A softer bend", gelu_text, "GELU"};
const StepText add2 = {"Add again", add2_text, "Add again"};
const StepText stack = {"Twelve high", stack_text};
const StepText gradients = {"What the shortcut saves", gradients_text};
const StepText order = {"Norm before or after", order_text};

}  // namespace lab::transformer_block_texts
