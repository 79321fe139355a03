#include "lessons/query.hpp"

#include <doctest.h>
#include <limits>

using namespace lab;

namespace {

Inputs inputs_of(std::string_view query) { return state_of(query).state.inputs; }
View view_of(std::string_view query) { return state_of(query).state.view; }
std::string canonical(std::string_view query) { return query_of(state_of(query).state); }
std::size_t problems_in(std::string_view query) { return state_of(query).problems.size(); }

bool is_ignored(std::string_view query) { return canonical(query).empty(); }

// A value for each key that is not what the lesson opens with, in canonical order. The lesson is not among
// them: there is only one.
const char* const kWritten[] = {
    "step=slip",
    "question=tr2",
    "text=Caf%C3%A9+%2B+tea",
    "seed=789",
    "target_seed=0",
    "word_seed=7",
    "dropout_seed=8",
    "d_in=64",
    "d_out=1",
    "heads=12",
    "split=interleaved",
    "off=att,0,11",
    "swap=0,11",
    "swap_out_proj=1",
    "example=1",
    "emb_dim=64",
    "shortcuts=0",
    "norm=after",
    "variance=unbiased",
    "eps=0.001",
    "bend=relu",
    "size=1558M",
    "custom_dim=1600",
    "custom_layers=48",
    "custom_heads=25",
    "tied=1",
    "scaled=0",
    "dummy=1",
    "temperature=0.25",
    "top_k=40",
    "chance=1",
    "batch=8",
    "sample=7",
    "context_length=64",
    "bias=1",
    "mask=off-by-one",
    "dropout=0.5",
    "drop_rate_attn=0.25",
    "drop_rate_shortcut=0",
    "stream=mkl",
    "training=1",
    "from=v1",
    "to=causal",
    ("move=W_query.weight[0:2,0:3],transpose,W_query[1:3,0:2]&move=,transpose,W_key&"
     "move=W_value.weight,copy,W_value"),
    "edit=source.W_query.weight.0.1:-0.25&edit=attn_scores.2.1:inf",
    "fault=4294967295",
    "leak=2",
    "compare=as-is",
    "rtol=0",
    "atol=1e-7",
    "cell=source.attn_weights.2.1",
    "word=1",
    "head=3",
    "block=11",
    "token=63",
    "full=1",
    "digits=0",
    "relative=1",
    "changes=1",
    "row=12",
    "filter=1",
    "theme=dark",
    "guess=W_key",
    "present=1",
    "hide=rail,inspector,timeline,input",
    "lock=seed,d_in,lock",
};

std::string all_keys() {
  std::string query;
  for (const char* pair : kWritten) query += (query.empty() ? "" : "&") + std::string(pair);
  return query;
}

}  // namespace

TEST_CASE("Every key reads back as it was written") {
  std::size_t next = 1;  // after lesson
  for (const char* pair : kWritten) {
    CAPTURE(pair);
    CHECK(problems_in(pair) == 0);
    CHECK(canonical(pair) == pair);
    CHECK(state_of(canonical(pair)).state == state_of(pair).state);
    CHECK(std::string(pair).rfind(query_keys()[next++] + '=', 0) == 0);  // the table above has every key
  }
  CHECK(next == query_keys().size());
}

TEST_CASE("Values arrive in their fields") {
  const State s = state_of(all_keys()).state;
  CHECK(s.view.step == "slip");
  CHECK(s.inputs.text == "Caf\u00E9 + tea");
  CHECK(s.inputs.seed == 789);
  CHECK(s.inputs.target_seed == 0u);
  CHECK(s.inputs.word_seed == 7);
  CHECK(s.inputs.dropout_seed == 8);
  CHECK(s.inputs.d_in == 64);
  CHECK(s.inputs.d_out == 1);
  CHECK(s.inputs.heads == 12);
  CHECK(s.inputs.batch == 8);
  CHECK(s.inputs.bias);
  CHECK(s.inputs.mask == MaskRoute::off_by_one);
  CHECK(s.inputs.dropout == 0.5);
  CHECK(s.inputs.training);
  CHECK(s.inputs.leak == 2);
  CHECK(s.view.word == 1);
  CHECK(s.view.changes);
  CHECK(s.inputs.stream == DropoutStream::mkl);
  CHECK(s.inputs.from == AttentionKind::v1);
  CHECK(s.inputs.to == AttentionKind::causal);
  CHECK(s.inputs.moves == std::vector<Move>{{"W_query.weight", MoveOp::transpose, "W_query", Rect{0, 2, 0, 3},
                                             Rect{1, 3, 0, 2}},
                                            {"", MoveOp::transpose, "W_key", {}, {}},
                                            {"W_value.weight", MoveOp::copy, "W_value", {}, {}}});
  CHECK(s.inputs.edits == std::vector<Edit>{{{"source.W_query.weight", 0, 1}, -0.25f},
                                            {{"attn_scores", 2, 1}, std::numeric_limits<float>::infinity()}});
  CHECK(s.inputs.fault == 4294967295u);
  CHECK(s.inputs.as_is);
  CHECK(s.inputs.rtol == 0);
  CHECK(s.inputs.atol == 1e-7);
  CHECK(s.view.cell == CellName{"source.attn_weights", 2, 1});
  CHECK(s.view.head == 3);
  CHECK(s.view.block == 11);
  CHECK(s.view.digits == 0);
  CHECK(s.view.theme == ThemeChoice::dark);
  CHECK(s.view.guess == "W_key");
  CHECK(s.view.present);
  CHECK(s.view.hide == std::vector<std::string>{"rail", "inspector", "timeline", "input"});
  CHECK(s.view.lock == std::vector<std::string>{"seed", "d_in", "lock"});
}

TEST_CASE("The keys stand in the order of the grammar, however they come") {
  CHECK(query_keys() == std::vector<std::string>{"lesson",
                                                 "step",
                                                 "question",
                                                 "text",
                                                 "seed",
                                                 "target_seed",
                                                 "word_seed",
                                                 "dropout_seed",
                                                 "d_in",
                                                 "d_out",
                                                 "heads",
                                                 "split",
                                                 "off",
                                                 "swap",
                                                 "swap_out_proj",
                                                 "example",
                                                 "emb_dim",
                                                 "shortcuts",
                                                 "norm",
                                                 "variance",
                                                 "eps",
                                                 "bend",
                                                 "size",
                                                 "custom_dim",
                                                 "custom_layers",
                                                 "custom_heads",
                                                 "tied",
                                                 "scaled",
                                                 "dummy",
                                                 "temperature",
                                                 "top_k",
                                                 "chance",
                                                 "batch",
                                                 "sample",
                                                 "context_length",
                                                 "bias",
                                                 "mask",
                                                 "dropout",
                                                 "drop_rate_attn",
                                                 "drop_rate_shortcut",
                                                 "stream",
                                                 "training",
                                                 "from",
                                                 "to",
                                                 "move",
                                                 "edit",
                                                 "fault",
                                                 "leak",
                                                 "compare",
                                                 "rtol",
                                                 "atol",
                                                 "cell",
                                                 "word",
                                                 "head",
                                                 "block",
                                                 "token",
                                                 "full",
                                                 "digits",
                                                 "relative",
                                                 "changes",
                                                 "row",
                                                 "filter",
                                                 "theme",
                                                 "guess",
                                                 "present",
                                                 "hide",
                                                 "lock"});
  std::string backwards;
  for (const char* pair : kWritten) backwards = pair + std::string(backwards.empty() ? "" : "&") + backwards;
  CHECK(canonical(backwards) == all_keys());
}

TEST_CASE("What the lesson opens with is left out") {
  CHECK(query_of(State{}) == "");
  CHECK(is_ignored(""));
  CHECK(is_ignored(
      "?lesson=transfer&step=&text=Your+journey+starts+with+one+step&seed=123&target_seed=&word_seed=42&"
      "dropout_seed=123&d_in=3&d_out=2&heads=1&split=bands&off=&swap=&swap_out_proj=0&example=0&emb_dim=8&"
      "shortcuts=1&norm=before&"
      "variance=biased&eps=1e-5&bend=gelu&size=124M&custom_dim=48&custom_layers=2&custom_heads=3&tied=0&"
      "scaled=1&dummy=0&temperature=1&top_k=0&chance=0&batch=1&sample=0&context_length=&bias=0&mask=zero-"
      "renorm&"
      "dropout=0&stream=mac&"
      "from=v2&to=v1&move=&edit=&fault=&compare=masked&rtol=1e-5&atol=0.000001&cell=&head=0&block=0&"
      "full=0&digits=4&relative=0&row=&filter=0&theme=auto&guess=&present=0&hide=&lock="));
}

TEST_CASE("A query may begin with ? or #, and have empty and unknown parts") {
  for (const char* query :
       {"?seed=5", "#seed=5", "seed=5", "&&seed=5&", "seed=5&utm_source=x&=&=7&seeds=9", "s%65ed=5"}) {
    CAPTURE(query);
    CHECK(canonical(query) == "seed=5");
    CHECK(problems_in(query) == 0);
  }
}

TEST_CASE("A lesson that is not there is reported, and transfer kept") {
  const ReadQuery read = state_of("lesson=trasnfer&seed=5");
  CHECK(read.state.inputs.lesson == "transfer");
  CHECK(read.state.inputs.seed == 5);
  CHECK(read.problems == std::vector<std::string>{"lesson=trasnfer: there is no such lesson."});
}

TEST_CASE("Seeds are exact to the last of 64 bits, and taken only so") {
  CHECK(inputs_of("seed=18446744073709551615").seed == 18446744073709551615ull);
  CHECK(canonical("seed=18446744073709551615") == "seed=18446744073709551615");
  CHECK(inputs_of("seed=9007199254740993").seed == 9007199254740993ull);  // 2^53 + 1: no double holds it
  for (const char* bad : {"seed=18446744073709551616", "seed=-1", "seed=%2B1", "seed=+1", "seed=1e3",
                          "seed=1.0", "seed=", "seed", "seed=0x10", "seed=12a", "seed=1,000",
                          "target_seed=-1", "word_seed=x", "dropout_seed= "}) {
    CAPTURE(bad);
    CHECK(is_ignored(bad));
    CHECK(problems_in(bad) == 1);
  }
}

TEST_CASE("Sizes are clamped and the clamping reported") {
  const struct {
    const char *given, *canonical;
  } rows[] = {
      {"d_in=65", "d_in=64"},
      {"d_in=0", "d_in=1"},
      {"d_out=-5", "d_out=1"},
      {"heads=13", "heads=12"},
      {"heads=0", ""},
      {"batch=9", "batch=8"},
      {"digits=9", "digits=8"},
      {"digits=-1", "digits=0"},
      {"d_in=99999999999999999999999", "d_in=64"},
      {"head=-1", ""},
      {"d_out=-99999999999999999999", "d_out=1"},
      {"head=5000", "head=4095"},
      {"dropout=0.95", "dropout=0.9"},
      {"dropout=-0.1", ""},
      {"dropout=1e999", "dropout=0.9"},
      {"rtol=1.5", "rtol=1"},
      {"atol=-1", "atol=0"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.given);
    CHECK(canonical(row.given) == row.canonical);
    CHECK(problems_in(row.given) == 1);
  }
  CHECK(state_of("d_in=65").problems[0] == "d_in=65: from 1 to 64; 64 is taken.");
  CHECK(problems_in("dropout=-0") == 0);
  CHECK(is_ignored("dropout=-0"));
}

TEST_CASE("What is no number is reported and the default kept") {
  for (const char* bad :
       {"d_in=", "d_in=3.5", "d_in=4x", "d_in=+4", "d_in= 4", "dropout=0,5", "dropout=nan",
        "dropout=", "rtol=inf", "rtol=nan", "atol=1e", "fault=-1", "fault=4294967296", "digits=four"}) {
    CAPTURE(bad);
    CHECK(is_ignored(bad));
    CHECK(problems_in(bad) == 1);
  }
}

TEST_CASE("Choices are taken by their names only") {
  const char* routes[] = {"none",         "zero-renorm", "neginf",     "zero-scores",  "no-renorm",
                          "renorm-first", "off-by-one",  "transposed", "after-dropout"};
  int place = 0;
  for (const char* route : routes) {
    CHECK(int(inputs_of(std::string("mask=") + route).mask) == place);
    CHECK(name_of(MaskRoute(place++)) == std::string(route));
  }
  CHECK(view_of("theme=light").theme == ThemeChoice::light);
  for (const char* bad : {"mask=Neginf", "mask=", "stream=linux", "from=simple", "from=v3", "to=head",
                          "bias=true", "bias=2", "compare=", "theme=blue", "present=yes"}) {
    CAPTURE(bad);
    CHECK(is_ignored(bad));
    CHECK(problems_in(bad) == 1);
  }
  CHECK(state_of("theme=blue").problems[0] == "theme=blue: must be one of auto, light, dark.");
}

TEST_CASE("Of two moves into the same cells the later wins, others stand side by side") {
  CHECK(canonical("move=A,copy,X&move=B,copy,Y&move=C,transpose,X") == "move=C,transpose,X&move=B,copy,Y");
  CHECK(inputs_of("move=A,copy,X[0:1,0:1]&move=A,copy,X[0:1,1:2]&move=A,copy,X").moves.size() == 3);
  CHECK(canonical("move=A,copy,X[0:1,0:1]&move=,copy,X[0:1,0:1]") == "move=,copy,X[0:1,0:1]");
}

TEST_CASE("An edit's number is finite, or inf, -inf or nan by name") {
  CHECK(canonical("edit=a.0.0:0.10000000149") == "edit=a.0.0:0.1");  // the same float32
  CHECK(canonical("edit=a.0.0:1000") == "edit=a.0.0:1000");
  CHECK(canonical("edit=a.0.0:1e%2B30") == "edit=a.0.0:1e30");
  CHECK(canonical("edit=a.0.0:-0") == "edit=a.0.0:-0");
  CHECK(canonical("edit=a.0.0:0") == "edit=a.0.0:0");
  for (const char* named : {"edit=a.0.0:inf", "edit=a.0.0:-inf", "edit=a.0.0:nan"})
    CHECK(canonical(named) == named);
  CHECK(state_of("edit=a.0.0:nan").state == state_of("edit=a.0.0:nan").state);
  CHECK_FALSE(state_of("edit=a.0.0:-0").state == state_of("edit=a.0.0:0").state);
  for (const char* bad : {"edit=a.0.0", "edit=a.0.0:", "edit=a.0.0:1e39", "edit=a.0.0:-1e400",
                          "edit=a.0.0:infinity", "edit=a.0.0:-nan", "edit=a.0.0:NaN", "edit=a.0.0:1,5",
                          "edit=a.0.0:1:2", "edit=a.0:1", "edit=:1", "edit=a.0.0:0x1"}) {
    CAPTURE(bad);
    CHECK(is_ignored(bad));
    CHECK(problems_in(bad) == 1);
  }
}

TEST_CASE("A later edit of the same cell replaces the earlier one") {
  CHECK(canonical("edit=a.0.0:1&edit=a.0.1:2&edit=a.0.0:3") == "edit=a.0.0:3&edit=a.0.1:2");
  CHECK(canonical("edit=a.0.0:1&edit=a.0.0:x") == "edit=a.0.0:1");
}

TEST_CASE("A link holds 200 edits and 80 moves; what is beyond is reported and left out") {
  std::string edits, moves;
  for (int i = 0; i < 202; ++i) edits += "edit=a." + std::to_string(i) + ".0:1&";
  for (int i = 0; i < 82; ++i) moves += "move=A,copy,X" + std::to_string(i) + "&";
  CHECK(inputs_of(edits).edits.size() == 200);
  CHECK(problems_in(edits) == 2);
  CHECK(inputs_of(edits).edits.back().cell.row == 199);
  CHECK(inputs_of(edits + "edit=a.3.0:7").edits[3].value == 7);  // replacing needs no room
  CHECK(inputs_of(moves).moves.size() == 80);
  CHECK(problems_in(moves) == 2);
}

TEST_CASE("Of a key given twice the last counts, and that is said") {
  CHECK(canonical("seed=1&seed=2") == "seed=2");
  CHECK(problems_in("seed=1&seed=2") == 1);
  CHECK(is_ignored("seed=1&seed=x"));
  CHECK(problems_in("seed=1&seed=x") == 2);
}

TEST_CASE("Hide and lock are lists of known names, each once, in one order") {
  CHECK(canonical("hide=input,rail,input,,") == "hide=rail,input");
  CHECK(canonical("lock=text,seed,move,lesson") == "lock=lesson,text,seed,move");
  CHECK(problems_in("hide=rail,window") == 1);
  CHECK(canonical("hide=rail,window") == "hide=rail");
  CHECK(problems_in("lock=sead,Seed") == 2);
}

TEST_CASE("A step and a guess are names") {
  CHECK(view_of("step=simple-weights").step == "simple-weights");
  CHECK(view_of("guess=W_query.bias").guess == "W_query.bias");
  for (const char* bad : {"step=<script>", "step=a+b", "guess=a%00", "step=a/b"}) {
    CHECK(is_ignored(bad));
    CHECK(problems_in(bad) == 1);
  }
}

TEST_CASE("Problems are short, clean and not too many") {
  const ReadQuery read = state_of("seed=%00%FF%1B" + std::string(1000, 'x'));
  CHECK(read.problems.size() == 1);
  CHECK(read.problems[0].size() < 200);
  CHECK(read.problems[0].find('\0') == std::string::npos);
  CHECK(read.problems[0].find("\xFF") == std::string::npos);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "edit=x&";
  CHECK(problems_in(many) == 51);
  CHECK(state_of(many).problems.back() == "\u2026 and more.");
}

TEST_CASE("A whole link is read as the query in it") {
  const State wanted = state_of("lesson=causal-mask&seed=5").state;
  for (const char* link :
       {"http://127.0.0.1:8000/?lesson=causal-mask&seed=5", "?lesson=causal-mask&seed=5",
        "file:///home/me/attention-lab.html#lesson=causal-mask&seed=5", "#lesson=causal-mask&seed=5"}) {
    CAPTURE(link);
    CHECK(state_of(link).state == wanted);
    CHECK(state_of(link).problems.empty());
  }
  CHECK(state_of("text=what?://").state.inputs.text == "what?://");
}
