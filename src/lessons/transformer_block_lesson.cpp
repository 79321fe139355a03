#include "lessons/transformer_block_lesson.hpp"

#include <algorithm>

#include "core/book_computed.hpp"
#include "core/book_numbers.hpp"
#include "core/multi_head.hpp"
#include "core/words.hpp"
#include "lessons/make_runs.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/multi_head_texts.hpp"
#include "lessons/texts/transformer_block_texts.hpp"
#include "lessons/told.hpp"

namespace lab {
namespace {

using namespace transformer_block_texts;

const Step kSteps[] = {
    {.id = "stream",
     .says = &stream,
     .cell = {"resid_post", 1, 0},
     .show = "resid_post resid_pre resid_mid att ff_out att_dropped ff_dropped",
     .code = "resid_post =",
     .controls = "norm training drop_rate_attn drop_rate_shortcut stream"},
    {.id = "norm1",
     .says = &norm1,
     .cell = {"norm1", 1, 1},
     .arrangement = 1,
     .show = "norm1 resid_pre att_added mean1 var1",
     .code = "norm1 =",
     .controls = "variance eps norm"},
    {.id = "norm-book",
     .says = &norm_book,
     .cell = {"book.norm", 0, 0},
     .arrangement = 2,
     .show = "book.norm book.out book.var_after book.var book.mean book.mean_after",
     .code = "norm1 =",
     .controls = "variance eps"},
    {.id = "att",
     .says = &att,
     .cell = {"att", 1, 0},
     .arrangement = 3,
     .show = "att att.heads.*.attn_weights norm1 resid_pre",
     .code = "att =",
     .controls = "training drop_rate_attn stream"},
    {.id = "add1",
     .says = &add1,
     .cell = {"resid_mid", 1, 0},
     .arrangement = 4,
     .show = "resid_mid resid_pre att att_dropped att_added",
     .code = "resid_mid ="},
    {.id = "ff",
     .says = &ff,
     .cell = {"ff_hidden", 1, 12},
     .arrangement = 5,
     .show = "ff_hidden norm2 resid_mid ff_out",
     .code = "ff_hidden ="},
    {.id = "gelu",
     .says = &gelu_step,
     .cell = {"ff_gelu", 1, 12},
     .arrangement = 6,
     .show = "ff_gelu ff_relu ff_hidden",
     .code = "ff_gelu =",
     .controls = "bend"},
    {.id = "add2",
     .says = &add2,
     .cell = {"resid_post", 1, 0},
     .arrangement = 7,
     .show = "resid_post resid_mid ff_out ff_dropped ff_added",
     .code = "resid_post ="},
    {.id = "stack", .says = &stack, .arrangement = 10, .code = "resid_post =", .controls = "norm bend"},
    {.id = "gradients", .says = &gradients, .arrangement = 8, .code = "class DeepNet"},
    {.id = "order",
     .says = &order,
     .cell = {"resid_post", 1, 0},
     .arrangement = 9,
     .show = "resid_post pre.resid_post post.resid_post",
     .code = "norm1 =",
     .controls = "norm"},
    questions::transformer_block().front(),
};

constexpr const char* kPostNorm = "att_added";  // there is one only where the norms stand behind the pluses

const Arrangement kArrangements[] = {
    {{{{.name = "resid_pre", .wide = true},
       {.name = "resid_mid", .wide = true},
       {.name = "resid_post", .wide = true}}}},
    {{{{.name = "resid_pre", .without = kPostNorm}, {.name = "att_added"}},
      {{.name = "mean1", .wide = true}},
      {{.name = "var1", .wide = true}},
      {{.name = "norm1"}}},
     40,
     Figure::level},
    {{{{.name = "book.out", .title = "Two rows of a layer"}},
      {{.name = "book.mean", .wide = true}, {.name = "book.var", .wide = true}},
      {{.name = "book.norm"}},
      {{.name = "book.mean_after", .wide = true}, {.name = "book.var_after", .wide = true}}},
     40,
     Figure::eps},
    {{{{.name = "norm1", .without = kPostNorm},
       {.name = "resid_pre", .with = kPostNorm},
       {.name = "att", .from = "norm1", .by = "all heads, then out_proj"}},
      {{.name = "att.heads.*.attn_weights", .across = true}}}},
    {{{{.name = "resid_pre"}, {.name = "att"}, {.name = "att_dropped"}},
      {{.name = "att_added"}, {.name = "resid_mid"}}},
     90},
    {{{{.name = "norm2", .without = kPostNorm},
       {.name = "resid_mid", .with = kPostNorm},
       {.name = "ff_hidden"},
       {.name = "ff_gelu"},
       {.name = "ff_relu"},
       {.name = "ff_out"}}}},
    {{{{.name = "ff_hidden"}, {.name = "ff_gelu"}, {.name = "ff_relu"}}}, 40, Figure::bend},
    {{{{.name = "resid_mid"}, {.name = "ff_out"}, {.name = "ff_dropped"}},
      {{.name = "ff_added"}, {.name = "resid_post"}}},
     90},
    {{}, 40, Figure::gradients},
    {{{{.name = "resid_post", .bars = Bars::length},
       {.name = "pre.resid_post", .bars = Bars::length, .title = "The same with the norms before"},
       {.name = "post.resid_post", .bars = Bars::length, .title = "The same with the norms after"}}},
     60},
    {{}, 40, Figure::stack},
};

// ---- the row that is looked at
// -----------------------------------------------------------------------------

std::string length_text(const Results& r, const State& s, const char* matrix, int row) {
  return decimals(vector_length(*cells_of(r, matrix), row), s.view.digits);
}

std::vector<Fact> gradient_facts(const Results& r) {
  std::vector<Fact> facts;
  const auto &without = r.runs.shortcut_passes[0].weight_grad_abs_mean,
             &with = r.runs.shortcut_passes[1].weight_grad_abs_mean;
  for (std::size_t i = 0; i < with.size(); ++i)
    facts.push_back(
        {filled("layer {0}: with ÷ without", {std::to_string(i)}), decimals(with[i] / without[i], 0)});
  facts.push_back(
      {"last ÷ first, without", decimals(without.back() / without.front(), 2), Role::neutral, true});
  facts.push_back({"last ÷ first, with", decimals(with.back() / with.front(), 2), Role::neutral, true});
  return facts;
}

std::vector<Fact> stack_facts(const Results& r, const State& s) {
  if (!r.stack) return {};
  const bool post = r.inputs.post_norm;
  const auto last = [&](const std::vector<double>& levels) { return decimals(levels.back(), s.view.digits); };
  const BlockStack::Levels &with = r.stack->levels({true, post}), &without = r.stack->levels({false, post}),
                           &other = r.stack->levels({true, !post});
  const char* others = post ? "with the norms before" : "with the norms after";
  return {{filled("behind block {0}", {std::to_string(r.stack->height())}), "", Role::neutral, true},
          {"length, with shortcuts", last(with.lengths), Role::weights},
          {"without them", last(without.lengths)},
          {others, last(other.lengths), Role::context},
          {"likeness, with shortcuts", last(with.likeness), Role::weights},
          {"without them", last(without.likeness)},
          {others, last(other.likeness), Role::context}};
}

std::vector<Fact> stream_facts(const Results& r, const State& s) {
  if (arrangement_of(s).figure == Figure::gradients) return gradient_facts(r);
  if (arrangement_of(s).figure == Figure::stack) return stack_facts(r, s);
  if (!r.runs.runs[0].block) return {};
  const CellName cell = selected_cell(s);
  const auto found = find(r.runs, cell.name);
  const bool by_word =
      found && (found->parameter == &r.runs.inputs || (found->row && is_by_word(*found->run)));
  if (!by_word || cell.row >= int(r.runs.words.size())) return {};
  const auto length = [&](const char* matrix) { return length_text(r, s, matrix, cell.row); };
  std::vector<Fact> facts = {{filled("lengths of {0}", {word(r, cell.row)}), "", Role::neutral, true},
                             {"resid_pre", length("resid_pre")},
                             {"added by attention", length(added_by_attention(r)), Role::context},
                             {"resid_mid", length("resid_mid")},
                             {"added by feed-forward", length(added_by_ff(r)), Role::context},
                             {"resid_post", length("resid_post")}};
  if (step_of(s).id == std::string_view("stream")) {
    const auto& passes = r.runs.shortcut_passes;
    facts.push_back({"what shortcuts save", "", Role::neutral, true});
    facts.push_back({"first layer’s gradient ×",
                     decimals(passes[1].weight_grad_abs_mean[0] / passes[0].weight_grad_abs_mean[0], 0)});
  }
  return facts;
}

// ---- numbers
// -----------------------------------------------------------------------------------------------

// Chapter 4 seeds once: first the rows of the stream, then the block. So many rows are drawn as the book's
// sentence has words, so that a shorter one meets the same block.
int drawn_rows(int words) {
  static const int least = int(words_of(kBookSentence).size());
  return std::max(least, words);
}

Parameter drawn_stream(const std::vector<std::string>& words, const Inputs& in) {
  TorchRandom random(in.seed);
  Parameter rows =
      drawn_parameter("resid_pre", drawn_rows(int(words.size())), in.emb_dim, random, in.seed).weight;
  rows.stored = Matrix(rows.stored.topRows(Eigen::Index(words.size())));
  rows.origins.front().cells = whole(rows.stored);
  return rows;
}

struct Made {
  TransformerBlockParams block;
  TorchRandom random;  // behind it
  BlockPass pass{};
};

Made made_block(const Inputs& in, int words) {
  TorchRandom random(in.seed);
  random.skip(std::int64_t(drawn_rows(words)) * in.emb_dim);
  TransformerBlockParams block = made_transformer_block(in.emb_dim, in.heads, in.bias, random, in.seed);
  Made made{std::move(block), random};
  const auto off = [&](const char* box) {
    return std::find(in.off.begin(), in.off.end(), box) != in.off.end();
  };
  made.pass = block_passes({words, in.emb_dim, in.heads}, 1, rates_of(in), in.stream, random).front();
  made.pass.shortcuts = in.shortcuts;
  made.pass.post_norm = in.post_norm;
  made.pass.unbiased = in.unbiased;
  made.pass.relu = in.relu;
  made.pass.eps = float(in.eps);
  made.pass.attention_off = off("att");
  made.pass.ff_off = off("ff");
  for (int h = 0; h < in.heads; ++h)
    made.pass.attention.heads[std::size_t(h)].off = off(std::to_string(h).c_str());
  return made;
}

void add_blocks(Runs& runs, const Inputs& in, const std::string& prefix, const std::vector<CellEdit>& rows) {
  const Made made = made_block(in, int(runs.words.size()));
  const auto add = [&](const std::string& name, bool post_norm) {
    TransformerBlockParams block = made.block;
    for (Parameter* p : parameters(block)) apply_edits(*p, name, in.edits);
    BlockPass pass = with_edits(made.pass, in.edits, name);
    pass.edits.insert(pass.edits.begin(), rows.begin(), rows.end());
    pass.post_norm = post_norm;
    runs.runs.push_back(run_block(name, std::move(block), runs.inputs.stored, std::move(pass)));
  };
  add(prefix, in.post_norm);
  add(prefix + (in.post_norm ? "pre." : "post."), !in.post_norm);
}

void make_block_runs(Runs& runs, const Inputs& in) {
  if (can_split(in.emb_dim, in.heads))
    add_blocks(runs, in, "", {});
  else
    runs.problems.push_back(multi_head_texts::cannot_share(in.emb_dim, in.heads, "emb_dim"));
  NormExample book = made_norm_example(in.seed);
  book.unbiased = in.unbiased;
  book.eps = float(in.eps);
  runs.runs.push_back(run_norm_example("book.", with_edits(std::move(book), in.edits, "book.")));
  for (const bool use_shortcut : {false, true}) {
    TorchRandom random(in.seed);
    Matrix input(1, 3);
    input << 1, 0, -1;
    runs.shortcut_passes.push_back(run_shortcut_net(
        made_shortcut_net({3, 3, 3, 3, 3, 1}, use_shortcut, random, in.seed), input, Matrix::Zero(1, 1)));
  }
  if (in.edits.empty() || !can_split(in.emb_dim, in.heads)) return;
  Inputs unedited = in;
  unedited.edits.clear();
  add_blocks(runs, unedited, kUnedited, inputs_taken_back(runs, &Trace::resid_pre));
}

}  // namespace

std::optional<BlockStack> stack_of(const Runs& runs, const Inputs& in) {
  if (runs.words.empty() || !runs.runs[0].block) return std::nullopt;
  const Run& block = runs.runs[0];
  return BlockStack(block.trace.resid_pre, *block.block, in.bias,
                    made_block(in, int(runs.words.size())).random);
}

bool is_as_printed(const Results& r, bool shortcuts, std::size_t layer) {
  return is_as_printed(shortcuts ? book::gradients_with_shortcuts : book::gradients_without_shortcuts, layer,
                       r.runs.shortcut_passes[shortcuts].weight_grad_abs_mean[layer]);
}

DropoutRates rates_of(const Inputs& in) {
  if (!in.training) return {};
  return {.attention = in.drop_rate_attn.value_or(in.dropout),
          .shortcut = in.drop_rate_shortcut.value_or(in.dropout)};
}

Lesson transformer_block_lesson() {
  return {
      .id = "transformer-block",
      .says = &lesson,
      .controls =
          "emb_dim heads seed bias shortcuts norm bend variance eps training drop_rate_attn "
          "drop_rate_shortcut stream off",
      .steps = kSteps,
      .make_runs = make_block_runs,
      .program = transformer_block_code,
      .inputs = drawn_stream,
      .open =
          [](Inputs& in) {
            in.heads = 4;
            in.mask = MaskRoute::neginf;
            in.dropout = .1;
          },
      .stage = Stage::block,
      .arrangements = kArrangements,
      .questions = questions::transformer_block(),
      .facts = stream_facts,
  };
}

}  // namespace lab
