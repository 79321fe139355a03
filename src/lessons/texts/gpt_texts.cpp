#include "lessons/texts/gpt_texts.hpp"

#include <algorithm>
#include <cmath>

#include "core/compare.hpp"
#include "core/number_text.hpp"
#include "lessons/gpt_lesson.hpp"
#include "lessons/text.hpp"
#include "lessons/told.hpp"

namespace lab::gpt_texts {
namespace {

std::string text(int n) { return std::to_string(n); }

// What is said where the numbers that a sentence needs are not there; "": they are.
std::string instead(const Results& r) {
  using Stage = GptWork::Stage;
  if (!r.gpt) return no_words();
  const GptWork& work = *r.gpt;
  switch (work.stage()) {
    case Stage::refused: return work.problem();
    case Stage::waiting:
    case Stage::drawing: return not_drawn(work);
    case Stage::no_words:
      return work.text_of(0).empty() ? "The tokenizer’s list of words is on its way."
                                     : "A GPT has no empty prompt: give it at least one token.";
    case Stage::reading: return "The text goes through the blocks, one after another.";
    case Stage::halted:
      return work.has_read() ? "" : "The text stands between two blocks. Go on when you like.";
    case Stage::writing:
    case Stage::done: return "";
  }
  return "";
}

// The same, and of a model whose blocks are empty.
std::string instead_of_blocks(const Results& r) {
  if (r.gpt && r.gpt->config().dummy)
    return "DummyGPTModel is the outline of a GPT: its blocks and its last norm hand on what they get. "
           "Nothing "
           "happens in here until they are built.";
  return instead(r);
}

std::string last_token(const Results& r) { return r.gpt->tokens().back(); }
double even(const GptWork& work) { return 1.0 / work.config().vocab_size; }
std::string percent(double share) { return decimals(100 * share); }

std::string ids_text(const Results& r) {
  if (!r.gpt || r.gpt->ids().empty()) return instead(r).empty() ? no_words() : instead(r);
  constexpr int kMost = 8;
  std::string all;
  const auto& ids = r.gpt->ids();
  for (std::size_t i = 0; i < ids.size() && i < kMost; ++i) all += (i ? " " : "") + text(ids[i]);
  if (ids.size() > kMost) all += " …";
  const std::string cut =
      r.gpt->cut() ? filled(" The first {0} had no place and were cut.", {counted(r.gpt->cut(), "token")})
                   : "";
  return filled(
      "The model reads numbers. Its tokenizer cuts the text into {0} from a list of {1} and looks up their "
      "places: {2}. A blank goes with the word after it.{3}",
      {counted(int(ids.size()), "piece"), text(r.gpt->config().vocab_size), all, cut});
}

double likeness_before(const GptReader& reading) {
  return reading.blocks().empty() ? reading.likeness() : reading.blocks()[0].figures.likeness;
}

std::string embed_text(const Results& r) {
  if (const std::string other = instead(r); !other.empty()) return other;
  const GptWork& work = *r.gpt;
  const int last = int(work.ids().size()) - 1;
  const float tok = work.model()->tok_emb.stored(work.ids().back(), 0),
              pos = work.model()->pos_emb.stored(last, 0);
  return filled(
      "Each id picks a row of {0} numbers, each place another, and they are added: for {1} {2} + {3} = {4}, "
      "and so on. Rows are drawn at random: likeness {5}, where 1 is the same direction.",
      {text(work.config().emb_dim), last_token(r), decimals(double(tok)), decimals(double(pos)),
       decimals(double(tok + pos)), decimals(likeness_before(*work.reading()))});
}

// The one whose head is opened.
int opened_block(const Results& r) {
  return r.runs.runs.empty() ? 0
                             : std::atoi(r.runs.runs[0].prefix.c_str() + std::string_view(kBlocks).size());
}

std::string block_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  const int block = opened_block(r);
  const StreamFigures& f = r.gpt->reading()->blocks()[std::size_t(block)].figures;
  if (!r.inputs.shortcuts)
    return filled(
        "Without shortcuts nothing is added: rows of length {0} come in, attention puts {1} in their place, "
        "feed-forward {2}.",
        {decimals(f.pre, 2), decimals(f.att, 2), decimals(f.ff, 2)});
  return filled(
      "{4} adds {5}: rows of length {0} receive {1} from attention and {2} from feed-forward and leave with "
      "{3}. The stream is added to, never replaced.",
      {decimals(f.pre, 2), decimals(f.att, 2), decimals(f.ff, 2), decimals(f.post, 2),
       block == 0 ? "The first block" : "Block " + text(block + 1),
       std::max(f.att, f.ff) < .5 * f.pre ? "little" : "much"});
}

std::string tower_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  const GptReader& reading = *r.gpt->reading();
  const auto& blocks = reading.blocks();
  const double before = blocks[0].figures.likeness, behind = reading.likeness();
  return filled(
      "{0}, one after another. The rows {1} from {2} to {3}, and {4}: likeness {5} before the first, {6} "
      "before "
      "the last, {7} behind it.{8}",
      {counted(int(blocks.size()), "block"), reading.length() >= blocks[0].figures.pre ? "grow" : "shrink",
       decimals(blocks[0].figures.pre, 2), decimals(reading.length(), 2),
       behind > before ? "they grow alike" : "they keep apart", decimals(before),
       decimals(blocks.back().figures.likeness), decimals(behind),
       behind > before ? " Attention averages, and averaging makes things similar." : ""});
}

std::string maps_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  const BoldHead bold = boldest_head(*r.gpt->reading());
  const std::string scaled = r.inputs.scaled
                                 ? "No head has a plan yet."
                                 : "Unscaled scores make bold heads, and still nobody has a plan.";
  return filled(
      "Every head of every block. What has no colour is an even share. In the last row shares run from {0} "
      "to {1} "
      "around {2}. The boldest is block {3}, head {4}; it gives “{5}” {1}. {6}",
      {decimals(bold.least), decimals(bold.share), decimals(1.0 / double(r.gpt->ids().size())),
       text(bold.place.block + 1), text(bold.place.head + 1), r.gpt->tokens()[std::size_t(bold.token)],
       scaled});
}

std::string inside_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  if (r.runs.runs.empty()) return "The head is being opened.";
  const Run& head = r.runs.runs[0].parts[0];
  const std::string apart = difference_text(largest_size(head.trace.route_difference));
  return filled(
      "A head of the model is a head of chapter 3. Block {0}, head {1}: softmax over all, the future zeroed, "
      "each "
      "row brought back to 1; below, the same by −∞. The two ways differ by {2} at most.",
      {text(opened_block(r) + 1), text(head.head + 1), apart});
}

std::string why_even_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  const Spreads s = spreads_of(*r.gpt->reading());
  const GptConfig& c = r.gpt->config();
  const std::string width = text(c.emb_dim / c.n_heads);
  const std::vector<std::string> words = {decimals(s.norm, 2), decimals(s.projected, 2), width,
                                          decimals(s.scores, 2), decimals(s.scaled, 2)};
  if (!r.inputs.scaled)
    return filled(
        "Behind the norm numbers spread by {0}, queries and keys by {1}, sums of {2} products by {3}. "
        "Nothing "
        "makes them smaller before softmax now, and its shares are bold.",
        words);
  return filled(
      "Behind the norm numbers spread by {0}. Fresh weights bring queries and keys to {1}. Sums of {2} "
      "products spread by {3}, and ÷ √{2} leaves {4}. Softmax of such small differences is nearly even.",
      words);
}

std::string repeat_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  const auto echo = echo_head(*r.gpt->reading());
  if (!echo)
    return filled("{0} stands here for the first time. Type a text that says something twice.",
                  {last_token(r)});
  return filled(
      "Repeat a phrase and stripes appear in an untrained head: the same word makes the same part of the "
      "key, "
      "so its scores are similar. Block {0}, head {1} gives {2} {3} times its even share. A pattern, but no "
      "knowledge.",
      {text(echo->place.block + 1), text(echo->place.head + 1), last_token(r),
       decimals(echo->times_even, 3)});
}

constexpr double kStandsOut = .01;  // a share of fifty thousand

std::string logits_text(const Results& r) {
  if (const std::string other = instead(r); !other.empty()) return other;
  const GptWork& work = *r.gpt;
  const NextTokens next = next_tokens(work.logits(), 1);
  return filled(
      "The last row{0} is multiplied with {1} rows: a score for each possible next token. They spread by {2} "
      "around 0; the largest is {3}. {4}",
      {work.config().dummy ? "" : " is levelled once more. It", text(work.config().vocab_size),
       decimals(next.spread), decimals(double(work.logits()(0, next.top[0].id))),
       next.top[0].share < kStandsOut
           ? "Nothing has been learned, so nothing stands far out."
           : "One stands out, though nothing has been learned: the head is tied, or the "
             "model small."});
}

std::string next_text(const Results& r) {
  if (const std::string other = instead(r); !other.empty()) return other;
  const GptWork& work = *r.gpt;
  const NextTokens next = next_tokens(work.logits(), 1, r.inputs.temperature, r.inputs.top_k);
  const double most = std::log(double(work.config().vocab_size)), share = next.top[0].share;
  if (r.inputs.top_k > 0)
    return filled(
        "Only {0} may come next, the others have no share at all. {1} gets {2} percent. Entropy {3} of at "
        "most "
        "{4}.",
        {r.inputs.top_k == 1 ? "the likeliest" : "the " + text(r.inputs.top_k) + " likeliest",
         shown_token(work.text_of(next.top[0].id)), percent(share), decimals(next.entropy),
         decimals(std::log(double(std::min(r.inputs.top_k, work.config().vocab_size))))});
  if (r.inputs.temperature != 1)
    return filled(
        "Divided by a temperature of {0} before softmax, the scores give {1} {2} percent: below 1 the "
        "likeliest gains, above 1 "
        "all come closer. The order never changes. Entropy {3} of at most {4}.",
        {number_text(r.inputs.temperature), shown_token(work.text_of(next.top[0].id)), percent(share),
         decimals(next.entropy), decimals(most)});
  const std::string undecided = next.entropy > .9 * most ? "the model is nearly undecided"
                                : share > .5             ? "the model has made up its mind"
                                                         : "the model leans to a few";
  return filled(
      "{0} scores through softmax: the top token, {1}, gets {2} percent, {3} times an even share. Entropy "
      "{4} of at most {5}: {6}.",
      {text(work.config().vocab_size), shown_token(work.text_of(next.top[0].id)), percent(share),
       decimals(share / even(work), 2), decimals(next.entropy), decimals(most), undecided});
}

std::string continuation(const GptWork& work) {
  std::string all;
  for (const int id : work.written()) all += work.text_of(id);
  return all;
}

std::string greedy_text(const Results& r) {
  if (const std::string other = instead(r); !other.empty()) return other;
  if (r.gpt->plan().by_block)
    return filled(
        "A model of this size is drawn block by block, and each block is let go when it was used. Every "
        "further "
        "token would draw all {0} blocks again: the lab does not write with it. Smaller sizes do.",
        {text(r.gpt->config().n_layers)});
  const std::string written = continuation(*r.gpt);
  if (r.gpt->to_write() == 0) return "All places are taken. A shorter text leaves room to go on.";
  if (written.empty()) return "Take the top token, append it, run again.";
  const std::string turns = counted(int(r.gpt->written().size()), "turn");
  if (r.inputs.by_chance)
    return filled(
        "Now a number between 0 and 1 decides: shares are laid end to end, and the token in which it falls "
        "is "
        "taken. {0} gave “{1}”. The seed throws the dice, so they fall the same way each time.",
        {turns, written});
  return filled(
      "Take the top token, append it, run again. {0} gave “{1}”: no meaning, but the same from this seed "
      "each time. Earlier rows never change, so their keys and values are kept.",
      {turns, written});
}

std::string tie_text(const Results& r) {
  if (const std::string other = instead(r); !other.empty()) return other;
  const GptWork& work = *r.gpt;
  if (!r.inputs.tied)
    return "The head is a table of its own here. Tie it to the token embedding and see what an untrained "
           "model says then.";
  const std::int64_t gone = std::int64_t(work.config().vocab_size) * work.config().emb_dim;
  const NextTokens next = next_tokens(work.logits(), 2);
  const Matrix& logits = work.logits();
  const std::string scores =
      filled("{0}, {1} against {2} for the next",
             {shown_token(work.text_of(next.top[0].id)), decimals(double(logits(0, next.top[0].id)), 2),
              decimals(double(logits(0, next.top[1].id)), 2)});
  if (next.top[0].id != work.ids().back())
    return filled(
        "Use the embedding as the head too and {0} parameters are gone. The row of {1}, read last, would "
        "match "
        "itself best, but the blocks have moved the stream away from it. Now {2}, comes first.",
        {grouped(gone), shown_token(work.text_of(work.ids().back())), scores});
  return filled(
      "Use the embedding as the head too and {0} parameters are gone. Untrained, it repeats itself: the "
      "stream still carries the row of the token that was read last, which nothing matches better: {1}.",
      {grouped(gone), scores});
}

std::string shortcuts_text(const Results& r) {
  if (const std::string other = instead_of_blocks(r); !other.empty()) return other;
  const GptReader& reading = *r.gpt->reading();
  if (r.inputs.shortcuts) return "The shortcuts are on. Switch them off and see what becomes of the rows.";
  if (reading.blocks().size() < 2) return "One block alone has little to lose. Take more layers.";
  return filled(
      "All shortcuts are off. Behind one block the rows are alike by {0}, behind all by {1}: {2}, and nearly "
      "one vector. The shortcut keeps each word itself.",
      {decimals(reading.blocks()[1].figures.likeness), decimals(reading.likeness()),
       counted(int(r.gpt->ids().size()), "token")});
}

std::string sizes_text(const Results&) {
  const auto share = [](const GptSize& size) {
    const GptLedger l = ledger_of(size.config, 1, 1);
    std::int64_t blocks = 0;
    for (const GptPart& part : l.parts)
      for (const char* of_blocks : {"qkv", "out_proj", "ff", "norms"})
        if (part.name == std::string(of_blocks)) blocks += part.parameters;
    return decimals(100 * double(blocks) / double(l.parameters), 0);
  };
  return filled(
      "Small, medium, large, XL: the same block, wider and more often. In small the blocks hold {0} percent "
      "of the parameters, in XL {1}; the rest is mostly the two word tables.",
      {share(gpt_sizes().front()), share(gpt_sizes().back())});
}

}  // namespace

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  for (int i = int(digits.size()) - 3; i > 0; i -= 3) digits.insert(std::size_t(i), ",");
  return digits;
}

std::string not_read(const Results& r) { return instead(r); }

std::string not_drawn(const GptWork& work) {
  const GptLedger ledger = ledger_of(work.config(), 1, 1);
  std::vector<std::string> words = {grouped(ledger.parameters), decimals(mebibytes(ledger.bytes), 2)};
  if (work.plan().by_block) {
    words.push_back(decimals(mebibytes(work.plan().bytes), 0));
    words.push_back(text(work.config().n_layers));
    return work.stage() == GptWork::Stage::drawing
               ? filled("Its {0} numbers are drawn from the seed, block after block: used, then let go.",
                        words)
               : filled(
                     "Its {0} numbers are {1} MiB, more than a page may keep. They can be drawn block by "
                     "block, "
                     "each used and let go: {2} MiB at a time, and all {3} blocks anew for every text.",
                     words);
  }
  return work.stage() == GptWork::Stage::drawing
             ? filled("Its {0} numbers are being drawn from the seed, {1} MiB.", words)
             : filled(
                   "Its {0} numbers are not drawn yet: {1} MiB, a few seconds. The parts and the figures "
                   "stand without them.",
                   words);
}

const LessonText lesson = {
    "GPT model",
    "The blocks assembled: embeddings, blocks, final norm, output head. Untrained, but complete and exact."};
const StepText ids = {"Text becomes ids", ids_text, "ids"};
const StepText embed = {"Which word, which place", embed_text};
const StepText block = {"Into the first block", block_text};
const StepText inside = {"Inside one head", inside_text};
const StepText why_even = {"Why so even?", why_even_text, "Why even"};
const StepText repeat = {"Say it again", repeat_text};
const StepText logits = {"Fifty thousand scores", logits_text};
const StepText tower = {"Small nudges", tower_text};
const StepText maps = {"All heads, nearly even", maps_text};
const StepText next = {"Almost anything next", next_text};
const StepText greedy = {"Always take the top", greedy_text};
const StepText tie = {"One table, two jobs", tie_text};
const StepText shortcuts = {"Cut the shortcuts", shortcuts_text};
const StepText sizes = {"Four sizes, one block", sizes_text};

}  // namespace lab::gpt_texts
