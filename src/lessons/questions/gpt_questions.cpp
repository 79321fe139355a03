// The whole model: how undecided it is, what scaling and tying do; the book's exercises 4.1 and 4.2.
#include <cmath>

#include "core/gpt_reader.hpp"
#include "core/ops.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"
#include "lessons/told.hpp"

namespace lab::questions {
namespace {

using gpt_texts::grouped, gpt_texts::not_read;

std::string text(int n) { return std::to_string(n); }
std::string percent(double share) { return decimals(100 * share); }
const GptConfig& config(const Results& r) { return r.gpt->config(); }
const GptReader& reading(const Results& r) { return *r.gpt->reading(); }
std::string quoted(const Results& r, int id) { return "“" + shown_token(r.gpt->text_of(id)) + "”"; }

// ---- how likely the likeliest is --------------------------------------------------------------------------

constexpr double kShares[] = {.2, .002, .0002};
NextTokens next(const Results& r, int most = 1) { return next_tokens(r.gpt->logits(), most); }
double even_share(const Results& r) { return 1.0 / config(r).vocab_size; }

constexpr double kFarOut = .01;  // a share of fifty thousand

const Question gp1 = {
    .id = "gp1",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) -> std::string {
      if (const std::string other = not_read(r); !other.empty()) return other;
      return next(r).top[0].share > kFarOut
                 ? "One token stands out here. Take a head of its own, or a larger model."
                 : "";
    },
    .asked =
        [](const Results& r) {
          return filled(
              "The model is untrained and may choose among {0} tokens. How likely is the likeliest?",
              {text(config(r).vocab_size)});
        },
    .answer =
        [](const Results& r) {
          return place(nearest(next(r).top[0].share, {kShares[0], kShares[1], kShares[2]}));
        },
    .revealed =
        [](const Results& r) {
          return filled(
              "{0} percent. Scores spread by {1} around 0, and none stands far out: an even share is {2} "
              "percent.",
              {percent(next(r).top[0].share), decimals(next(r).spread), percent(even_share(r))});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      const double share = kShares[given == "0" ? 0 : given == "1" ? 1 : 2];
      return filled(
          "For that its score would have to be about {0}; the best stands at {1}, and nothing has been "
          "learned "
          "that could lift it.",
          {decimals(std::log(share) + next(r).log_total, 1), decimals(double(r.gpt->logits().maxCoeff()))});
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {filled("An even share of {0} tokens is {1} percent.",
                     {text(config(r).vocab_size), percent(even_share(r))}),
              filled("The scores spread by {0}. The largest is {1}, and e to that is {2}.",
                     {decimals(next(r).spread, 1), decimals(double(r.gpt->logits().maxCoeff()), 1),
                      decimals(std::exp(double(r.gpt->logits().maxCoeff())), 0)})};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {filled("{0} percent", {decimals(100 * kShares[0], 0)}),
              filled("{0} percent", {decimals(100 * kShares[1], 1)}),
              filled("{0} percent", {decimals(100 * kShares[2], 2)})};
    },
    .pictured = "next",
};

// ---- what scaling holds back ------------------------------------------------------------------------------

// The largest share of the last row, on average over the heads of the first block, with scaling or without.
double largest_share(const Results& r, bool scaled) {
  const GptBlockReading& block = reading(r).blocks().front();
  const int heads = config(r).n_heads, width = config(r).emb_dim / heads, words = reading(r).given();
  double sum = 0;
  for (int h = 0; h < heads; ++h) {
    const Matrix query = block.queries.block(words - 1, h * width, 1, width),
                 keys = block.keys.block(0, h * width, words, width);
    const Matrix scores = product(view(query), transposed_view(keys));
    sum += double(softmax(scaled ? scaled_down(scores, width) : scores).maxCoeff());
  }
  return sum / heads;
}
std::string needs_tokens(const Results& r, int least) {
  if (const std::string other = not_read(r); !other.empty()) return other;
  return int(r.gpt->ids().size()) < least
             ? filled("This question needs a text of {0}.", {counted(least, "token")})
             : "";
}

constexpr double kClearly = .01;  // of a share

const Question gp2 = {
    .id = "gp2",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) -> std::string {
      if (const std::string other = needs_tokens(r, 2); !other.empty()) return other;
      return largest_share(r, false) - largest_share(r, true) > kClearly
                 ? ""
                 : "Scaling hardly matters here. Take wider heads: then there is something to see.";
    },
    .asked =
        [](const Results& r) {
          return filled(
              "Scores are divided by √{0}, the root of a head's width. Leave that out: what becomes of the "
              "untrained heads' maps?",
              {text(config(r).emb_dim / config(r).n_heads)});
        },
    .answer =
        [](const Results& r) {
          return place(largest_share(r, false) - largest_share(r, true) > kClearly ? 0 : 2);
        },
    .revealed =
        [](const Results& r) {
          return filled(
              "Bolder: in block 1 the largest share of the last row is {0} on average, and {1} without "
              "scaling. How large scores are decides how sharp softmax is, trained or not.",
              {decimals(largest_share(r, true), 2), decimals(largest_share(r, false), 2)});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      return given == "2" ? "Training is not needed for that: the size of the scores alone decides it."
                          : "Larger scores make larger differences, and softmax raises e to them.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {filled("Without it every score is {0} times as large.",
                     {decimals(std::sqrt(double(config(r).emb_dim / config(r).n_heads)), 1)}),
              "Softmax of small differences is nearly even. And of large ones?"};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"They become bolder", "They become fainter", "They stay the same"};
    },
    .pictured = "maps",
};

// ---- what a tied, untrained head says ---------------------------------------------------------------------

NextTokens next_if_tied(const Results& r, int most = 1) {
  const Matrix scores =
      product(view(reading(r).given_final_norm()), transposed_view(r.gpt->model()->tok_emb.stored));
  return next_tokens(scores, most);
}
std::string score_text(const NextTokens& tokens, int place) {
  return decimals(std::log(tokens.top[std::size_t(place)].share) + tokens.log_total, 2);
}

bool repeats_if_tied(const Results& r) { return next_if_tied(r).top[0].id == r.gpt->ids().back(); }

const Question gp3 = {
    .id = "gp3",
    .kind = Question::Kind::choice,
    .lacks = [](const Results& r) -> std::string {
      if (const std::string other = not_read(r); !other.empty()) return other;
      if (r.inputs.tied) return "Give the head a table of its own again: then there is something to predict.";
      return "";
    },
    .asked =
        [](const Results& r) {
          return filled(
              "With a head of its own the untrained model goes on with {0}. Now the token embedding becomes "
              "the head. What comes first then?",
              {quoted(r, next(r).top[0].id)});
        },
    .answer = [](const Results& r) { return place(repeats_if_tied(r) ? 1 : 3); },
    .revealed =
        [](const Results& r) {
          const NextTokens tied = next_if_tied(r, 2);
          const std::vector<std::string> said = {quoted(r, tied.top[0].id), score_text(tied, 0),
                                                 score_text(tied, 1), quoted(r, r.gpt->ids().back())};
          if (!repeats_if_tied(r))
            return filled(
                "{0}, with a score of {1}; the next one has {2}. {3} would match its own row best, but the "
                "blocks "
                "of this model have moved the stream away from it.",
                said);
          return filled(
              "{0}, with a score of {1}; the next one has {2}. The stream still carries the row of the token "
              "that was read last, and nothing matches a row better than itself.",
              said);
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      if (!repeats_if_tied(r))
        return "So it is in most models. In this one the blocks have moved the stream too far away.";
      return given == "2"
                 ? "The head looks for the row that matches best, and one row is still in the stream."
                 : "That token was chosen by rows that the head no longer has.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      return {"How much do the blocks add to what was embedded? Step Tower tells.",
              filled("The last row began as the row of {0}. Which row of the same table is most like it?",
                     {quoted(r, r.gpt->ids().back())})};
    },
    .choices = [](const Results& r) -> std::vector<std::string> {
      return {filled("Still {0}", {quoted(r, next(r).top[0].id)}),
              filled("{0} again", {quoted(r, r.gpt->ids().back())}), "All nearly even", "Some other token"};
    },
    .pictured = "next",
};

// ---- exercise 4.1 -----------------------------------------------------------------------------------------

std::string needs_model(const Results& r) { return r.gpt ? "" : no_words(); }
BlockLedger one_block(const Results& r) { return block_ledger(config(r)); }
std::int64_t square(const Results& r) { return std::int64_t(config(r).emb_dim) * config(r).emb_dim; }

extern const Question e41;
const Question e41 = {
    .id = "e4.1",
    .kind = Question::Kind::number,
    .lacks = needs_model,
    .asked =
        [](const Results& r) {
          return filled(
              "In a block of width {0} the attention, with out_proj, has {1} parameters. How many has "
              "feed-forward?",
              {text(config(r).emb_dim), grouped(one_block(r).attention)});
        },
    .answer = [](const Results& r) { return std::to_string(one_block(r).ff); },
    .revealed =
        [](const Results& r) {
          const int d = config(r).emb_dim;
          return filled("{0}: {1} × {2} and {2} weights and biases out, {2} × {1} and {1} back.",
                        {grouped(one_block(r).ff), text(d), text(4 * d)});
        },
    .why_not = [](const Results& r, const std::string& given) -> std::string {
      const auto is = [&](std::int64_t n) { return is_close(e41, given, double(n)); };
      if (is(8 * square(r)))
        return filled("Nearly: the two layers have biases as well, {0} and {1}.",
                      {text(4 * config(r).emb_dim), text(config(r).emb_dim)});
      if (is(4 * one_block(r).attention))
        return "Four times wider, but only two matrices; attention has four.";
      if (is(4 * square(r))) return "That is one of its two layers. The way back counts, too.";
      return "Count the weights of both layers first, then their biases.";
    },
    .hints = [](const Results& r) -> std::vector<std::string> {
      const std::int64_t d = config(r).emb_dim;
      return {"Two linear layers: four times wider, and back.",
              filled("{0} × {1} weights each way.", {std::to_string(d), std::to_string(4 * d)}),
              filled("{0} + {1}: each layer with its biases.",
                     {grouped(4 * square(r) + 4 * d), grouped(4 * square(r) + d)})};
    },
    .close = .5,
    .title = "Exercise 4.1",
    .pictured = "sizes",
};

double ratio(const Results& r) { return double(one_block(r).ff) / double(one_block(r).attention); }

extern const Question gp4;
const Question gp4 = {
    .id = "gp4",
    .kind = Question::Kind::number,
    .lacks = needs_model,
    .asked =
        [](const Results& r) {
          return filled(
              "Per block of width {0}: how many times as many parameters has feed-forward as attention? One "
              "decimal will do.",
              {text(config(r).emb_dim)});
        },
    .answer = [](const Results& r) { return exactly(ratio(r)); },
    .revealed =
        [](const Results& r) {
          return filled("{0} ÷ {1} = {2}. Most of a block is feed-forward.",
                        {grouped(one_block(r).ff), grouped(one_block(r).attention), decimals(ratio(r), 3)});
        },
    .why_not = [](const Results&, const std::string& given) -> std::string {
      if (is_close(gp4, given, 4))
        return "Four times wider, but that is two matrices of four squares each; attention has four squares.";
      return "Count in squares of width × width: attention has four of them.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Count matrices, and leave biases aside.",
              "Attention: four matrices of d × d. Feed-forward: d × 4d, and 4d × d."};
    },
    .close = .05,
    .title = "Exercise 4.1",
    .pictured = "sizes",
};

// ---- exercise 4.2 -----------------------------------------------------------------------------------------

// A size as the model stands now: with a bias or without, tied or not.
GptConfig wanted(const Results& r, int size) {
  GptConfig c = gpt_sizes()[std::size_t(size)].config;
  c.qkv_bias = config(r).qkv_bias;
  c.tied = config(r).tied;
  return c;
}
std::int64_t parameters(const GptConfig& c) { return ledger_of(c, 1, 1).parameters; }
GptConfig with_tied_head(GptConfig c) {
  c.tied = true;
  return c;
}
bool is_custom(const Results& r) { return r.inputs.gpt_size == "custom"; }

std::string not_yet(const Results& r, int size) {
  const GptConfig is = config(r), is_to_be = wanted(r, size);
  if (!is_custom(r)) return "The list has set all three for you. Choose custom, and set them yourself.";
  if (is.emb_dim % is.n_heads != 0) return r.gpt->problem();
  if (is.emb_dim / is.n_heads != is_to_be.emb_dim / is_to_be.n_heads)
    return filled("A head is {0} wide now: {1} ÷ {2}.",
                  {text(is.emb_dim / is.n_heads), text(is.emb_dim), text(is.n_heads)});
  const std::int64_t more = parameters(is) - parameters(is_to_be);
  return filled("It has {0} parameters now, {1} too {2}.",
                {grouped(parameters(is)), grouped(std::abs(more)), more > 0 ? "many" : "few"});
}

template <int size>
constexpr Question set_size(const char* id) {
  return {
      .id = id,
      .kind = Question::Kind::setting,
      .lacks = needs_model,
      .asked =
          [](const Results& r) {
            const GptConfig c = wanted(r, size);
            return filled(
                "The same code, other settings: make it {0}, with {1} parameters and heads that are {2} "
                "wide. "
                "Set custom_dim, custom_layers and custom_heads, then press Check.",
                {gpt_sizes()[size].name, grouped(parameters(c)), text(c.emb_dim / c.n_heads)});
          },
      .answer =
          [](const Results& r) {
            const GptConfig c = wanted(r, size);
            return filled("size=custom&custom_dim={0}&custom_layers={1}&custom_heads={2}",
                          {text(c.emb_dim), text(c.n_layers), text(c.n_heads)});
          },
      .revealed =
          [](const Results& r) {
            const GptConfig c = wanted(r, size);
            return filled(
                "{0}: width {1}, {2} blocks, {3} heads. {4} parameters are {5} MiB; with a tied head {6} are "
                "left.",
                {gpt_sizes()[size].name, text(c.emb_dim), text(c.n_layers), text(c.n_heads),
                 grouped(parameters(c)), decimals(mebibytes(ledger_of(c, 1, 1).bytes), 2),
                 grouped(parameters(with_tied_head(c)))});
          },
      .why_not = [](const Results& r, const std::string&) { return not_yet(r, size); },
      .hints = [](const Results& r) -> std::vector<std::string> {
        const GptConfig c = wanted(r, size), &small = gpt_sizes().front().config;
        return {"Only three settings change: the width, the number of blocks, the number of heads.",
                filled("A head stays {0} wide, as in {1}: the width is {0} times the number of heads.",
                       {text(small.emb_dim / small.n_heads), gpt_sizes().front().name}),
                filled("Width {0}, {1} blocks, {2} heads.",
                       {text(c.emb_dim), text(c.n_layers), text(c.n_heads)})};
      },
      .is_set = [](const Results& r) { return is_custom(r) && config(r) == wanted(r, size); },
      .title = "Exercise 4.2",
      .pictured = "sizes",
  };
}
constexpr Question e42_medium = set_size<1>("e4.2-medium"), e42_large = set_size<2>("e4.2-large"),
                   e42_xl = set_size<3>("e4.2-xl");

// As GPT-2 small, whose settings are to be changed.
void start_from_small(State& s) {
  as_it_is(s);
  const GptConfig& small = gpt_sizes().front().config;
  s.inputs.gpt_size = "custom";
  s.inputs.gpt_dim = small.emb_dim;
  s.inputs.gpt_layers = small.n_layers;
  s.inputs.gpt_heads = small.n_heads;
}

}  // namespace

std::span<const Step> gpt() {
  static const Step all[] = {
      asking(gp1, {.patch = as_it_is, .code = "    probas ="}),
      asking(gp2, {.patch = as_it_is, .code = "        weights ="}),
      asking(gp3, {.patch = as_it_is, .code = "    logits ="}),
      asking(e41, {.patch = as_it_is, .code = "print(sum"}),
      asking(gp4, {.patch = as_it_is, .code = "print(sum"}),
      asking(e42_medium, {.patch = start_from_small, .code = "print(sum"}),
      asking(e42_large, {.patch = start_from_small, .code = "print(sum"}),
      asking(e42_xl, {.patch = start_from_small, .code = "print(sum"}),
  };
  return all;
}

}  // namespace lab::questions
