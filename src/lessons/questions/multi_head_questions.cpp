// Several heads: how wide they come out, which rows are whose, what out_proj does; the book's exercises 3.2
// and 3.3.
#include "core/gpt_config.hpp"
#include "core/multi_head.hpp"
#include "lessons/multi_head_lesson.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/told.hpp"

namespace lab::questions {
namespace {

using gpt_texts::grouped;

const Run& stacked_run(const Results& r) { return r.runs.runs[0]; }
const AttentionParams& wrapper(const Results& r) { return stacked_run(r).module; }
int heads_of(const Results& r) { return wrapper(r).num_heads; }
int width_of(const Results& r) { return head_dim(wrapper(r)); }
std::string text(int n) { return std::to_string(n); }
std::string needs_heads(const Results& r) {
  if (r.runs.words.empty()) return no_words();
  return heads_of(r) < 2 ? "This question needs two heads." : "";
}

// ---- how wide the stack is --------------------------------------------------------------------------------

extern const Question mh1;
const Question mh1 = {
    .id = "mh1",
    .kind = Question::Kind::number,
    .lacks = needs_heads,
    .asked =
        [](const Results& r) {
          return filled(
              "MultiHeadAttentionWrapper is called with d_in = {0}, d_out = {1} and num_heads = {2}. How "
              "many "
              "columns does it return?",
              {text(r.inputs.d_in), text(width_of(r)), text(heads_of(r))});
        },
    .answer = [](const Results& r) { return text(int(output_of(stacked_run(r)).cols())); },
    .revealed =
        [](const Results& r) {
          return filled("{0}: each of the {1} heads returns {2}, and they stand side by side.",
                        {text(int(output_of(stacked_run(r)).cols())), text(heads_of(r)),
                         counted(width_of(r), "column")});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      return is_close(mh1, given, width_of(r))
                 ? "That is one head alone: in the stack d_out counts per head."
                 : "Nothing is added or averaged: count the columns of all heads.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {"Each head is a CausalAttention of its own, called with the same d_out.",
              filled("torch.cat puts the columns of {0} side by side.", {counted(heads_of(r), "head")})};
    },
    .close = .5,
};

// ---- whose rows -------------------------------------------------------------------------------------------

// "rows 2 and 3"
std::string rows(int from, int count) {
  return count == 1   ? filled("row {0}", {text(from)})
         : count == 2 ? filled("rows {0} and {1}", {text(from), text(from + 1)})
                      : filled("rows {0} to {1}", {text(from), text(from + count - 1)});
}

// The rows of the packed weight that hold head 2's numbers: where they really are.
int first_row_of_head_2(const Results& r) {
  const AttentionParams all = packed(wrapper(r), "");
  return band_of(all, all.W_query.weight, 1).r0;
}

const Question mh2 = {
    .id = "mh2",
    .kind = Question::Kind::choice,
    .lacks = needs_heads,
    .asked =
        [](const Results& r) {
          return filled(
              "The packed W_query.weight has {0}: {1} of width {2}. Which of them are head 2's?",
              {counted(output_width(wrapper(r)), "row"), counted(heads_of(r), "head"), text(width_of(r))});
        },
    .answer = [](const Results& r) { return place(first_row_of_head_2(r) / width_of(r)); },
    .revealed =
        [](const Results& r) {
          return filled("Head 2 owns {0}: the heads stand one below the other, each with {1}.",
                        {rows(first_row_of_head_2(r), width_of(r)), counted(width_of(r), "row")});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == "0" ? "Those are head 1's: heads are counted from the top."
                          : "Every second row would be interleaving: after the split each head would hold "
                            "parts of both.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {"view cuts a row of numbers into neighbouring pieces.",
              filled("Head 1 owns {0}.", {rows(0, width_of(r))})};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"The first rows, as many as a head is wide", "The next rows, as many as a head is wide",
              "Every second row"};
    },
};

// ---- what out_proj mixes ----------------------------------------------------------------------------------

const Run* mixing_run(const Results& r) {
  for (const Run& run : r.runs.runs)
    if (run.prefix == "mha.") return &run;
  return nullptr;
}

struct Moved {
  int concat = 0, out = 0;  // columns that move when head 1 is switched off
};
int columns_moved(const Matrix& a, const Matrix& b) {
  int moved = 0;
  for (Eigen::Index c = 0; c < a.cols(); ++c) moved += a.col(c) != b.col(c);
  return moved;
}
Moved moved_by_head_1(const Results& r) {
  const Run& mixing = *mixing_run(r);
  const auto with_head_1 = [&](bool on) {
    Pass pass = mixing.pass;
    pass.heads[0].off = !on;
    return run_of("", mixing.module, mixing.trace.inputs, std::move(pass)).trace;
  };
  const Trace on = with_head_1(true), off = with_head_1(false);
  return {columns_moved(on.concat, off.concat), columns_moved(on.out, off.out)};
}

extern const Question mh3;
const Question mh3 = {
    .id = "mh3",
    .kind = Question::Kind::number,
    .lacks = [](const Results& r) -> std::string {
      if (const std::string other = needs_heads(r); !other.empty()) return other;
      return mixing_run(r) ? "" : multi_head_texts::cannot_share(r.inputs.d_out, r.inputs.heads);
    },
    .asked =
        [](const Results& r) {
          return filled(
              "Head 1 of MultiHeadAttention is switched off: its columns of concat become 0. How many of the "
              "{0} behind out_proj change?",
              {counted(int(mixing_run(r)->trace.out.cols()), "column")});
        },
    .answer = [](const Results& r) { return text(moved_by_head_1(r).out); },
    .revealed =
        [](const Results& r) {
          const Moved moved = moved_by_head_1(r);
          return filled(
              "{0}. Of concat only {1} changed, head 1's own; but every column of out_proj listens to all of "
              "concat.",
              {text(moved.out), counted(moved.concat, "column")});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      return is_close(mh3, given, moved_by_head_1(r).concat)
                 ? "True of concat. Behind out_proj no column belongs to one head any more."
                 : "Look at one number of the output: which columns of concat is it made from?";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"An output number is a row of out_proj.weight times a whole row of concat.",
              "If any number of that row of concat changes, so does the sum."};
    },
    .close = .5,
};

// ---- exercise 3.2 -----------------------------------------------------------------------------------------

constexpr int kHeads = 2, kWanted = 2;  // columns

bool returns_two_columns(const Results& r) {
  return !r.inputs.example && heads_of(r) == kHeads && output_of(stacked_run(r)).cols() == kWanted;
}

const Question e32 = {
    .id = "e3.2",
    .kind = Question::Kind::setting,
    .lacks = [](const Results& r) { return needs_words(r, 1); },
    .asked =
        [](const Results&) {
          return filled(
              "MultiHeadAttentionWrapper with {0} heads and d_out = {1} returns {2} columns. Leave the "
              "number "
              "of heads as it is and make it return {1}: set the controls, then press Check.",
              {text(kHeads), text(kWanted), text(kHeads * kWanted)});
        },
    .answer =
        [](const Results&) {
          return filled("example=0&heads={0}&d_out={1}", {text(kHeads), text(kWanted / kHeads)});
        },
    .revealed =
        [](const Results& r) {
          const Matrix& out = output_of(stacked_run(r));
          const int last = told_row(r, int(out.rows()));
          return filled(
              "d_out = {0}: {1} heads, one column each. Row {2} reads {3}, row {4} {5}. The book prints "
              "other "
              "numbers here; they cannot come from these words, as the lesson Book numbers shows.",
              {text(width_of(r)), text(heads_of(r)), word(r, 0), row_text(out, 0), word(r, last),
               row_text(out, last)});
        },
    .why_not = [](const Results& r, const std::string&) -> std::string {
      if (r.inputs.example) return "These are the heads built by hand; take drawn ones.";
      if (heads_of(r) != kHeads)
        return filled("It has {0} now, and there were to be {1}.",
                      {counted(heads_of(r), "head"), text(kHeads)});
      return filled(
          "It returns {0} now: {1} heads, and each has d_out = {2}.",
          {counted(int(output_of(stacked_run(r)).cols()), "column"), text(heads_of(r)), text(width_of(r))});
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"How wide is one head now, and how many are there?",
              "In the stack d_out counts per head: the columns are heads times d_out.",
              filled("Set d_out to {0}.", {text(kWanted / kHeads)})};
    },
    .is_set = returns_two_columns,
    .title = "Exercise 3.2",
};

// ---- exercise 3.3 -----------------------------------------------------------------------------------------

const GptConfig& small() { return gpt_sizes().front().config; }
std::int64_t square() { return std::int64_t(small().emb_dim) * small().emb_dim; }
std::int64_t mask_cells() { return std::int64_t(small().context_length) * small().context_length; }

extern const Question e33_width;
const Question e33_width = {
    .id = "e3.3",
    .kind = Question::Kind::number,
    .lacks = [](const Results&) { return std::string(); },
    .asked =
        [](const Results&) {
          return filled(
              "GPT-2 small calls MultiHeadAttention with d_in = d_out = {0}, num_heads = {1} and "
              "context_length = {2}. How many columns does one head have?",
              {text(small().emb_dim), text(small().n_heads), text(small().context_length)});
        },
    .answer = [](const Results&) { return text(small().emb_dim / small().n_heads); },
    .revealed =
        [](const Results&) {
          return filled(
              "{0} ÷ {1} = {2}: the fused module shares d_out among its heads.",
              {text(small().emb_dim), text(small().n_heads), text(small().emb_dim / small().n_heads)});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      if (is_close(e33_width, given, small().emb_dim))
        return "So wide is all of it. Fused, d_out is the total.";
      return "The heads share d_out evenly.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"In MultiHeadAttention d_out is the width of all heads together.",
              filled("{0} columns, shared by {1} heads.", {text(small().emb_dim), text(small().n_heads)})};
    },
    .close = .5,
    .title = "Exercise 3.3",
};

extern const Question e33_parameters;
const Question e33_parameters = {
    .id = "e3.3-parameters",
    .kind = Question::Kind::number,
    .lacks = [](const Results&) { return std::string(); },
    .asked =
        [](const Results&) {
          return filled(
              "The same module of GPT-2 small: three projections {0} × {0} without bias, and out_proj with "
              "one. How many parameters does it have?",
              {text(small().emb_dim)});
        },
    .answer = [](const Results&) { return std::to_string(block_ledger(small()).attention); },
    .revealed =
        [](const Results&) {
          return filled("4 × {0} + {1} = {2}. The mask, {3} × {3}, is a buffer: kept, and not trained.",
                        {grouped(square()), text(small().emb_dim), grouped(block_ledger(small()).attention),
                         text(small().context_length)});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      const auto is = [&](std::int64_t n) { return is_close(e33_parameters, given, double(n)); };
      if (is(4 * square()))
        return filled("Nearly: out_proj has {0} biases as well.", {text(small().emb_dim)});
      if (is(3 * square())) return "Those are query, key and value. out_proj is a matrix, too.";
      if (is(block_ledger(small()).attention + mask_cells()))
        return "The mask is a buffer: nothing in it is trained, so it does not count.";
      return "Count the matrices first, then the biases.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Heads change nothing: they share the columns that are there.",
              filled("Four matrices of {0} × {0} are {1}.", {text(small().emb_dim), grouped(4 * square())}),
              filled("Add a bias for each of the {0} columns of out_proj.", {text(small().emb_dim)})};
    },
    .close = .5,
    .title = "Exercise 3.3",
};

void two_wide_heads(State& s) {
  pack_rightly(s);
  if (s.inputs.example || s.inputs.heads != kHeads || s.inputs.d_out != kWanted) s.inputs.edits.clear();
  s.inputs.example = false;
  s.inputs.heads = kHeads;
  s.inputs.d_out = kWanted;
  s.inputs.off.clear();
}

constexpr int kBoth = 0, kMaps = 1, kPacked = 4, kMixed = 8;  // arrangements

}  // namespace

std::span<const Step> multi_head() {
  const char* all_of_it = "W_query.weight wrapper.heads.*.W_query.weight queries inputs";
  static const Step all[] = {
      asking(mh1, {.cell = {"wrapper.heads.0.attn_weights", 1, 0},
                   .patch = pack_rightly,
                   .arrangement = kMaps,
                   .show = "wrapper.heads.*.attn_weights"}),
      asking(mh2, {.cell = {"W_query.weight", 0, 0},
                   .patch = pack_rightly,
                   .arrangement = kPacked,
                   .show = all_of_it,
                   .code = "packed ="}),
      asking(mh3, {.cell = {"mha.concat", 1, 0},
                   .patch = pack_rightly,
                   .arrangement = kMixed,
                   .show = "mha.concat mha.out_proj.weight",
                   .code = "mha_out ="}),
      asking(e32, {.cell = {"wrapper.out", 1, 0},
                   .patch = two_wide_heads,
                   .arrangement = kBoth,
                   .show = "wrapper.out mha.out",
                   .code = "stacked_out ="}),
      asking(e33_width,
             {.cell = {"queries", 1, 0}, .patch = pack_rightly, .arrangement = kPacked, .show = all_of_it}),
      asking(e33_parameters,
             {.cell = {"queries", 1, 0}, .patch = pack_rightly, .arrangement = kPacked, .show = all_of_it}),
  };
  return all;
}

}  // namespace lab::questions
