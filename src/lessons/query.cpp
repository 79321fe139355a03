// One table, one row per key: what it writes and how it is read. Its order is the canonical order.
#include "lessons/query.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/words.hpp"
#include "lessons/lesson.hpp"
#include "lessons/query_kinds.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

using namespace query_kinds;

struct Key {
  const char* name;
  bool repeats;
  Values (*written)(const State& state);
  void (*read)(Reading& in, State& state);
  void (*keep)(State& state, const State& before);  // its field as it was
};

template <class T>
const Inputs& part(const State& state, T Inputs::*) {
  return state.inputs;
}
template <class T>
const View& part(const State& state, T View::*) {
  return state.view;
}
template <class T>
Inputs& part(State& state, T Inputs::*) {
  return state.inputs;
}
template <class T>
View& part(State& state, T View::*) {
  return state.view;
}

template <class Times, auto field, bool repeats = false>
constexpr Key key(const char* name) {
  return {name, repeats, [](const State& state) { return Times::written(part(state, field).*field); },
          [](Reading& in, State& state) { Times::read(in, part(state, field).*field); },
          [](State& state, const State& before) { part(state, field).*field = part(before, field).*field; }};
}
template <class Kind, auto field>
constexpr Key one(const char* name) {
  return key<One<Kind>, field>(name);
}
template <class Kind, auto field>
constexpr Key maybe(const char* name) {
  return key<Maybe<Kind>, field>(name);
}
template <class Kind, auto field>
constexpr Key many(const char* name) {
  return key<Many<Kind>, field, true>(name);
}

constexpr Key kKeys[] = {
    one<LessonId, &Inputs::lesson>("lesson"),  // first: it brings the defaults of all others
    one<Name, &View::step>("step"),
    one<Name, &View::question>("question"),
    one<Sentence, &Inputs::text>("text"),
    one<Seed, &Inputs::seed>("seed"),
    maybe<Seed, &Inputs::target_seed>("target_seed"),
    one<Seed, &Inputs::word_seed>("word_seed"),
    one<Seed, &Inputs::dropout_seed>("dropout_seed"),
    one<Whole<1, kMaxWidth>, &Inputs::d_in>("d_in"),
    one<Whole<1, kMaxWidth>, &Inputs::d_out>("d_out"),
    one<Whole<1, kMaxHeads>, &Inputs::heads>("heads"),
    one<Choice<HeadRoute, kSplits>, &Inputs::split>("split"),
    one<Subset<parts>, &Inputs::off>("off"),
    maybe<TwoHeads, &Inputs::swap>("swap"),
    one<Flag, &Inputs::swap_out_proj>("swap_out_proj"),
    one<Flag, &Inputs::example>("example"),
    one<Whole<1, kMaxWidth>, &Inputs::emb_dim>("emb_dim"),
    one<Flag, &Inputs::shortcuts>("shortcuts"),
    one<Choice<bool, kNormOrders>, &Inputs::post_norm>("norm"),
    one<Choice<bool, kVariances>, &Inputs::unbiased>("variance"),
    one<Fraction<kMaxTolerance>, &Inputs::eps>("eps"),
    one<Choice<bool, kBends>, &Inputs::relu>("bend"),
    one<GptSizeId, &Inputs::gpt_size>("size"),
    one<Whole<1, kMaxGptWidth>, &Inputs::gpt_dim>("custom_dim"),
    one<Whole<1, kMaxGptLayers>, &Inputs::gpt_layers>("custom_layers"),
    one<Whole<1, kMaxGptHeads>, &Inputs::gpt_heads>("custom_heads"),
    one<Flag, &Inputs::tied>("tied"),
    one<Flag, &Inputs::scaled>("scaled"),
    one<Flag, &Inputs::dummy>("dummy"),
    one<Fraction<kMaxTemperature, kLeastTemperature>, &Inputs::temperature>("temperature"),
    one<Whole<0, kMaxTopK>, &Inputs::top_k>("top_k"),
    one<Flag, &Inputs::by_chance>("chance"),
    one<Whole<1, kMaxBatch>, &Inputs::batch>("batch"),
    one<Whole<0, kMaxBatch - 1>, &Inputs::sample>("sample"),
    maybe<Whole<1, kMaxWords>, &Inputs::context_length>("context_length"),
    one<Flag, &Inputs::bias>("bias"),
    one<Choice<MaskRoute, kRoutes>, &Inputs::mask>("mask"),
    one<Fraction<kMaxDropout>, &Inputs::dropout>("dropout"),
    maybe<Fraction<kMaxDropout>, &Inputs::drop_rate_attn>("drop_rate_attn"),
    maybe<Fraction<kMaxDropout>, &Inputs::drop_rate_shortcut>("drop_rate_shortcut"),
    one<Choice<DropoutStream, kStreams>, &Inputs::stream>("stream"),
    one<Flag, &Inputs::training>("training"),
    one<Module, &Inputs::from>("from"),
    one<Module, &Inputs::to>("to"),
    many<WeightMove, &Inputs::moves>("move"),
    many<EditedCell, &Inputs::edits>("edit"),
    maybe<FaultNumber, &Inputs::fault>("fault"),
    maybe<Whole<0, kMaxWords - 1>, &Inputs::leak>("leak"),
    one<Choice<bool, kComparisons>, &Inputs::as_is>("compare"),
    one<Fraction<kMaxTolerance>, &Inputs::rtol>("rtol"),
    one<Fraction<kMaxTolerance>, &Inputs::atol>("atol"),
    maybe<Cell, &View::cell>("cell"),
    maybe<Whole<0, kMaxWords - 1>, &View::word>("word"),
    one<Whole<0, kMaxIndex>, &View::head>("head"),
    one<Whole<0, kMaxIndex>, &View::block>("block"),
    maybe<Whole<0, kMaxIndex>, &View::token>("token"),
    one<Flag, &View::full>("full"),
    one<Whole<0, 8>, &View::digits>("digits"),
    one<Flag, &View::relative>("relative"),
    one<Flag, &View::changes>("changes"),
    maybe<Whole<0, kMaxIndex>, &View::row>("row"),
    one<Flag, &View::filter>("filter"),
    one<Choice<ThemeChoice, kThemes>, &View::theme>("theme"),
    one<SlotText, &View::guess>("guess"),
    one<Flag, &View::present>("present"),
    one<Subset<panels>, &View::hide>("hide"),
    one<Subset<query_keys>, &View::lock>("lock"),
};

using ValuesByKey = std::array<Values, std::size(kKeys)>;

ValuesByKey values_of(std::string_view query) {
  ValuesByKey values;
  if (!query.empty() && (query[0] == '?' || query[0] == '#')) query.remove_prefix(1);
  for (KeyValue& pair : pairs_of(query)) {
    const auto has_name = [&pair](const Key& key) { return pair.key == key.name; };
    const auto* key = std::find_if(std::begin(kKeys), std::end(kKeys), has_name);
    if (key != std::end(kKeys)) values[std::size_t(key - kKeys)].push_back(std::move(pair.value));
  }
  return values;
}

void read_keys(std::size_t first, std::size_t end, const ValuesByKey& values, ReadQuery& read) {
  for (std::size_t i = first; i < end; ++i) {
    if (values[i].empty()) continue;
    Reading in{kKeys[i].name, values[i], read.problems};
    if (values[i].size() > 1 && !kKeys[i].repeats)
      in.report(in.last(), "given more than once, the last counts.");
    kKeys[i].read(in, read.state);
  }
}

}  // namespace

std::vector<std::string> query_keys() {
  std::vector<std::string> names;
  for (const Key& key : kKeys) names.emplace_back(key.name);
  return names;
}

void keep_locked(State& state, const State& before) {
  for (const Key& key : kKeys)
    if (std::find(before.view.lock.begin(), before.view.lock.end(), key.name) != before.view.lock.end())
      key.keep(state, before);
}

const char* name_of(AttentionKind kind) { return kModules[std::size_t(kind)]; }
const char* name_of(MaskRoute route) { return kRoutes[std::size_t(route)]; }
const char* name_of(DropoutStream stream) { return kStreams[std::size_t(stream)]; }
const char* name_of(MoveOp op) { return kOps[std::size_t(op)]; }
const char* name_of(HeadRoute route) { return kSplits[std::size_t(route)]; }

std::string query_of(const State& state) {
  State opening = defaults_of(state.inputs.lesson);
  opening.inputs.lesson = State{}.inputs.lesson;  // what a link opens that names no lesson
  return query_of(state, opening);
}

std::string query_of(const State& state, const State& opening) {
  std::string query;
  for (const Key& key : kKeys) {
    Values values = key.written(state);
    if (values == key.written(opening)) continue;
    if (values.empty()) values.emplace_back();
    for (const std::string& value : values) {
      query += (query.empty() ? "" : "&") + std::string(key.name) + '=' + percent_encoded(value);
    }
  }
  return query;
}

bool is_changed(std::string_view name, const State& state, const State& opening) {
  for (const Key& key : kKeys)
    if (name == key.name) return key.written(state) != key.written(opening);
  return false;
}

namespace {

// A whole link says as much as what stands behind its question mark.
std::string_view query_in(std::string_view link) {
  const std::size_t mark = link.find_first_of("?#");
  const bool is_link =
      mark == 0 || (mark != std::string_view::npos && link.find("://") < mark && link.find('=') > mark);
  return is_link ? link.substr(mark + 1) : link;
}

}  // namespace

namespace {

// On the bench both modules have equally many heads, and their outputs are no wider than others.
void fit_bench(ReadQuery& read) {
  Inputs& in = read.state.inputs;
  const bool from = has_heads(in.from), to = has_heads(in.to);
  if (lesson_of(read.state).stage != Stage::bench || in.heads == 1 || (!from && !to)) return;
  if (from != to) {
    read.problems.push_back(filled(
        "heads={0}: {1} is one head, so {2} has one as well.",
        {std::to_string(in.heads), class_name(from ? in.to : in.from), class_name(from ? in.from : in.to)}));
    in.heads = 1;
  } else if (in.d_out * in.heads > kMaxWidth) {
    const int widest = kMaxWidth / in.heads;
    read.problems.push_back(filled("d_out={0}: {1} heads of that width are wider than {2}; {3} is taken.",
                                   {std::to_string(in.d_out), std::to_string(in.heads),
                                    std::to_string(kMaxWidth), std::to_string(widest)}));
    in.d_out = widest;
  }
}

// What the sizes of several heads leave no room for. Told where the link asks for it; what a smaller size has
// left behind goes quietly.
void fit_heads(ReadQuery& read, const ValuesByKey& values) {
  if (!has_control(lesson_of(read.state), "swap")) return;
  Inputs& in = read.state.inputs;
  const auto tell = [&](std::string_view key, const std::string& what) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (kKeys[i].name == key && !values[i].empty()) read.problems.push_back(std::string(key) + what);
  };
  const int heads = heads_of(in), words = std::min(kMaxWords, int(whole_words(in.text).size()));
  if (in.swap && in.swap->b >= heads) {
    tell("swap", filled("={0},{1}: there is no such head; they are counted from 0, and there are {2}.",
                        {std::to_string(in.swap->a), std::to_string(in.swap->b), std::to_string(heads)}));
    in.swap.reset();
  }
  if (in.sample >= in.batch) {
    tell("sample", filled("={0}: counted from 0, the batch ends at {1}, which is taken.",
                          {std::to_string(in.sample), std::to_string(in.batch - 1)}));
    in.sample = in.batch - 1;
  }
  if (in.context_length && *in.context_length < words) {
    tell("context_length",
         filled(
             "={0}: the mask would have {0} rows and columns, and the sentence has {1} words; {1} is taken.",
             {std::to_string(*in.context_length), std::to_string(words)}));
    in.context_length = words;
  }
}

}  // namespace

void fit_text(State& state, std::vector<std::string>* problems) {
  const TextRoom room = lesson_of(state).stage == Stage::gpt ? kPromptRoom : kSentenceRoom;
  state.inputs.text = clean_text(state.inputs.text, problems, room);
}

ReadQuery state_of(std::string_view query) {
  const ValuesByKey values = values_of(query_in(query));
  ReadQuery read;
  read_keys(0, 1, values, read);
  read.state = defaults_of(read.state.inputs.lesson);
  read_keys(1, std::size(kKeys), values, read);
  fit_text(read.state, &read.problems);
  fit_bench(read);
  fit_heads(read, values);
  return read;
}

ReadQuery state_of(std::string_view query, const State& opening) {
  ReadQuery read{opening, {}};
  const ValuesByKey values = values_of(query);
  read_keys(0, std::size(kKeys), values, read);
  fit_text(read.state, &read.problems);
  fit_bench(read);
  fit_heads(read, values);
  return read;
}

namespace {

void report_question(ReadQuery& read) {
  const std::string& asked = read.state.view.question;
  if (asked.empty()) return;
  const auto questions = lesson_of(read.state).questions;
  const bool is_known = std::any_of(questions.begin(), questions.end(),
                                    [&](const Step& step) { return step.asks->id == asked; });
  if (!is_known)
    read.problems.push_back("question=" + asked + ": " + lesson_of(read.state).says->title +
                            " has no such question.");
  else if (!step_of(read.state).asks)
    read.problems.push_back("question=" + asked + ": it is asked in the step " + kQuestionStep + ".");
}

}  // namespace

ReadQuery opened(const std::string& query) {
  ReadQuery read = state_of(query);
  State& state = read.state;
  if (state.inputs.example) take_example_sizes(state.inputs);
  report_question(read);
  fit_view(state);
  const Step& step = step_of(state);
  if (const std::string asked = state.view.step; !asked.empty() && asked != step.id) {
    read.problems.push_back("step=" + asked + ": " + lesson_of(state).says->title + " has no such step; " +
                            step.id + " is shown.");
    state.view.step.clear();
  }
  Inputs opening = defaults_of(state.inputs.lesson).inputs;
  opening.text = state.inputs.text;
  opening.word_seed = state.inputs.word_seed;
  if (step.patch && state.view.step == step.id && state.inputs == opening) step.patch(state);
  return read;
}

namespace {

bool is_slot_of(const std::optional<Bench>& bench, const std::string& name) {
  if (!bench) return false;
  const std::vector<std::string> all = slots(bench->source, bench->target);
  return std::find(all.begin(), all.end(), name) != all.end();
}

}  // namespace

std::vector<std::string> drop_what_is_not_there(View& view, const Runs& runs) {
  std::vector<std::string> problems;
  if (view.cell && !value_of(runs, *view.cell)) {
    problems.push_back("cell=" + text_of(*view.cell) +
                       ": there is no such cell here; the step’s own is shown.");
    view.cell.reset();
  }
  if (!view.guess.empty() && !is_slot_of(runs.bench, view.guess)) {
    problems.push_back("guess=" + view.guess + ": there is no such slot here.");
    view.guess.clear();
  }
  return problems;
}

}  // namespace lab
