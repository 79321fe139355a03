// The lesson of the transformer block, held to what torch 1.13 gives for seed 123 and the book's sentence.
#include <doctest.h>

#include <algorithm>
#include <cmath>

#include "core/atlas_check.hpp"
#include "core/compare.hpp"
#include "core/gpt_reader.hpp"
#include "lessons/compute.hpp"
#include "lessons/inspect.hpp"
#include "lessons/lesson.hpp"
#include "lessons/pytorch.hpp"
#include "lessons/query.hpp"
#include "lessons/results.hpp"
#include "lessons/text.hpp"
#include "lessons/transformer_block_lesson.hpp"
#include "lessons/user.hpp"

using namespace lab;
using lab::test::User;

namespace {

Runs runs_of(const std::string& query) {
  return compute(state_of("lesson=transformer-block" + query).state.inputs);
}
Matrix cells(const Runs& runs, const char* name) { return find(runs, name)->cells; }
bool near(double value, double wanted, double by = 5.1e-5) { return std::abs(value - wanted) < by; }
double moved(const Runs& a, const Runs& b, const char* matrix, int row) {
  return double((cells(a, matrix).row(row) - cells(b, matrix).row(row)).cwiseAbs().maxCoeff());
}
std::string sentence(const std::string& query, const char* step) {
  const State state = opened("lesson=transformer-block&step=" + std::string(step) + query).state;
  return sentence_of(step_of(state), results_of(state.inputs));
}

}  // namespace

TEST_CASE("the stream of journey is what it was plus what attention and feed-forward add") {
  const Runs runs = runs_of("");
  const std::pair<const char*, double> first[] = {
      {"resid_pre", .1841}, {"att", .2167}, {"resid_mid", .4008}, {"ff_out", .0450}, {"resid_post", .4458}};
  for (const auto& [name, value] : first) CHECK_MESSAGE(near(double(cells(runs, name)(1, 0)), value), name);
  CHECK(near(double(cells(runs, "norm1")(1, 1)), 1.6562));
  CHECK(near(double(cells(runs, "ff_hidden")(1, 12)), .6489));
  CHECK(near(double(cells(runs, "ff_gelu")(1, 12)), .4813));
  const std::pair<const char*, double> lengths[] = {
      {"resid_pre", 1.1996}, {"resid_mid", 1.1357}, {"resid_post", 1.3129}};
  for (const auto& [name, value] : lengths)
    CHECK_MESSAGE(near(double(cells(runs, name).row(1).norm()), value), name);
}

TEST_CASE("every cell of the block's lesson is made as the atlas says, however it is set") {
  for (const char* query :
       {"", "&text=", "&text=Your", "&heads=3", "&norm=after&training=1&stream=mkl", "&shortcuts=0&bend=relu",
        "&variance=unbiased&eps=0&emb_dim=1&heads=1", "&off=att,ff,1",
        "&training=1&drop_rate_attn=0&drop_rate_shortcut=0.5", "&training=1&drop_rate_shortcut=0",
        "&emb_dim=12&heads=12&text=a+b+c+d+e+f+g+h+i",
        "&edit=resid_pre.1.0:2&edit=post.ff_hidden.0.0:3&edit=book.out.0.0:1&edit=att.heads.2.keep.0.1:1"})
    CHECK_MESSAGE(first_wrong_cell(runs_of(query)) == "", query);
}

TEST_CASE("the book's row has variance 0.0192, and 0.9995 when it is levelled") {
  const Runs runs = runs_of("");
  CHECK(near(double(cells(runs, "book.out")(0, 0)), .2260));
  CHECK(near(double(cells(runs, "book.mean")(0, 0)), .1324));
  CHECK(near(double(cells(runs, "book.var")(0, 0)), .01922, 1e-5));
  CHECK(near(double(cells(runs, "book.norm")(0, 0)), .6745));
  CHECK(near(double(cells(runs, "book.var_after")(0, 0)), .9995));
  const Runs unbiased = runs_of("&variance=unbiased&eps=0");
  CHECK(near(double(cells(unbiased, "book.var")(0, 0)), .0231));
  CHECK(near(double(cells(unbiased, "book.norm")(0, 0)), .6159));
}

TEST_CASE("words meet in attention and nowhere else") {
  const Runs before = runs_of(""), after = runs_of("&edit=resid_pre.1.0:1.184056");
  const double expected[] = {0, 1.1102, .3740, .3197, .1084, .2189};
  for (int row = 0; row < 6; ++row)
    CHECK_MESSAGE(near(moved(before, after, "resid_post", row), expected[row]), row);
  const Runs later = runs_of("&edit=resid_mid.1.0:1.4008");
  for (int row = 0; row < 6; ++row)
    CHECK(near(moved(before, later, "ff_out", row), row == 1 ? .3403 : 0, 2e-4));
}

TEST_CASE("a row multiplied or shifted is levelled to nearly the same") {
  const Runs runs = runs_of("");
  std::string tenfold, shifted;
  for (int c = 0; c < 8; ++c) {
    const float x = cells(runs, "resid_pre")(1, c);
    const std::string cell = "&edit=resid_pre.1." + std::to_string(c) + ":";
    tenfold += cell + std::to_string(10 * x);
    shifted += cell + std::to_string(x + 5);
  }
  CHECK(near(double(cells(runs_of(tenfold), "norm1")(1, 1)), 1.6564, 1e-4));
  CHECK(near(double(cells(runs_of(shifted), "norm1")(1, 1)), 1.6562, 1e-4));
}

TEST_CASE(
    "switched off: boxes say nothing, without shortcuts the stream is gone, norms after make all rows alike "
    "long") {
  const Runs silent = runs_of("&off=att,ff");
  CHECK(cells(silent, "resid_post") == cells(silent, "resid_pre"));
  const Runs with = runs_of(""), without = runs_of("&shortcuts=0");
  CHECK(near(likeness(view(cells(with, "resid_pre")), view(cells(with, "resid_post"))), .9285, 1e-4));
  CHECK(near(likeness(view(cells(without, "resid_pre")), view(cells(without, "resid_post"))), .3466, 1e-4));
  for (const char* query : {"", "&norm=after"})
    for (int row = 0; row < 6; ++row)
      CHECK(near(double(cells(runs_of(query), *query ? "resid_post" : "post.resid_post").row(row).norm()),
                 std::sqrt(8.), 1e-3));
  CHECK(cells(with, "resid_post") == cells(runs_of("&norm=after"), "pre.resid_post"));
}

TEST_CASE("shortcuts save the first layer's gradient") {
  const Runs runs = runs_of("");
  const double without[] = {.0002017, .0001201, .0007152, .0013988, .0050497},
               with[] = {.2217, .2069, .3290, .2666, 1.3259};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(near(runs.shortcut_passes[0].weight_grad_abs_mean[i], without[i], 1e-6));
    CHECK(near(runs.shortcut_passes[1].weight_grad_abs_mean[i], with[i]));
  }
}

TEST_CASE("the past does not know how long the sentence will be") {
  const Runs six = runs_of("");
  for (const char* text : {"&text=Your", "&text=Your+journey+starts"}) {
    const Runs fewer = runs_of(text);
    CHECK(moved(six, fewer, "resid_post", 0) < 1e-6);
  }
}

TEST_CASE("dropout moves the output by what torch says, right after the block is drawn") {
  const Runs evaluated = runs_of(""), training = runs_of("&training=1");
  double most = 0;
  for (int row = 0; row < 6; ++row) most = std::max(most, moved(evaluated, training, "resid_post", row));
  CHECK(near(most, .3948));
}

TEST_CASE("attention and shortcuts drop by rates of their own, and by one where none is given") {
  const auto drops = [](const std::string& query) {
    const Runs runs = runs_of("&training=1" + query);
    return std::pair{find(runs, "att.heads.0.dropout_mask").has_value() &&
                         cells(runs, "att.heads.0.dropout_mask").size() > 0,
                     find(runs, "drop_mask1").has_value() && cells(runs, "drop_mask1").size() > 0};
  };
  CHECK(drops("") == std::pair{true, true});
  CHECK(drops("&dropout=0") == std::pair{false, false});
  CHECK(drops("&drop_rate_attn=0") == std::pair{false, true});
  CHECK(drops("&drop_rate_shortcut=0") == std::pair{true, false});
  CHECK(drops("&dropout=0&drop_rate_attn=0.5") == std::pair{true, false});
  const Runs runs = runs_of("&training=1&drop_rate_attn=0.5&drop_rate_shortcut=0.75");
  CHECK(cells(runs, "att.heads.0.dropout_mask").maxCoeff() == 2);
  CHECK(cells(runs, "drop_mask1").maxCoeff() == 4);
  CHECK(cells(runs_of("&training=1&drop_rate_attn=0.1&drop_rate_shortcut=0.1"), "resid_post") ==
        cells(runs_of("&training=1"), "resid_post"));
}

// torch 1.13: the lesson's block, and eleven more drawn behind it.
struct StackFigures {
  StackWay way;
  double lengths[4], likeness[4];  // before, behind block 1, 6 and 12
};
constexpr StackFigures kStackFigures[] = {
    {{true, false}, {1.5699, 1.8652, 2.0761, 2.5039}, {.7854, .8162, .6683, .0419}},
    {{false, false}, {1.5699, .4913, .5566, .5061}, {.7854, .5288, 1, 1}},
    {{true, true}, {1.5699, 2.8284, 2.8284, 2.8284}, {.7854, .0503, .2134, .3148}},
};

TEST_CASE(
    "twelve blocks high: rows drift, without shortcuts they become one, norms after keep their length") {
  Results r = results_of(opened("lesson=transformer-block").state.inputs);
  REQUIRE(r.stack);
  CHECK(r.stack->height() == 0);
  while (r.has_work()) r.work_on();
  CHECK(r.stack->height() == kStacked);
  for (const StackFigures& f : kStackFigures) {
    const BlockStack::Levels& levels = r.stack->levels(f.way);
    constexpr std::size_t kAt[] = {0, 1, 6, 12};
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(near(levels.lengths[kAt[i]], f.lengths[i], 1e-4));
      CHECK(near(levels.likeness[kAt[i]], f.likeness[i], 1e-4));
    }
  }
  const std::string text = sentence_of(*step_about(lesson_named("transformer-block"), "stack"), r);
  CHECK(text.find("from 1.5699 to 2.5039") != std::string::npos);
  CHECK(text.find("their likeness ends at 1.0000, where with shortcuts it is 0.0419") != std::string::npos);
}

TEST_CASE("a stack's lowest block is the lesson's own, edits and all, without dropout") {
  const auto stacked = [](const std::string& query) {
    Results r = results_of(opened("lesson=transformer-block" + query).state.inputs);
    while (r.has_work()) r.work_on();
    return r;
  };
  const std::string edit = "&edit=ff_hidden.1.12:9&edit=att.W_value.weight.0.0:3&edit=resid_pre.0.0:2";
  const Results r = stacked(edit + "&bend=relu&bias=1");
  CHECK(r.stack->levels({}).lengths[1] == mean_length(cells(r.runs, "resid_post")));
  CHECK(stacked(edit + "&bend=relu&bias=1&training=1").stack->levels({}).lengths ==
        r.stack->levels({}).lengths);
  const Results silent = stacked("&off=att,ff");
  CHECK(silent.stack->levels({}).lengths.front() == silent.stack->levels({}).lengths.back());
  CHECK_FALSE(results_of(opened("lesson=transformer-block&text=").state.inputs).stack);
  CHECK_FALSE(results_of(opened("lesson=transformer-block&emb_dim=6").state.inputs).stack);
  CHECK(stacked("&text=Your").stack->levels({}).likeness.back() == 1);
}

TEST_CASE("the gradients of the book's seed are ticked, and no others") {
  const auto ticked = [](const std::string& query) {
    const Results r = results_of(opened("lesson=transformer-block" + query).state.inputs);
    int count = 0;
    for (std::size_t layer = 0; layer < 5; ++layer)
      count += is_as_printed(r, false, layer) + is_as_printed(r, true, layer);
    return count;
  };
  CHECK(ticked("") == 10);
  CHECK(ticked("&seed=5") == 0);
}

TEST_CASE("what attention says is told by the products it is the sum of") {
  const Results r = results_of(opened("lesson=transformer-block").state.inputs);
  const CellReport report = report_of(r.runs, {"att", 1, 0}, 4);
  std::string all;
  for (const ToldLine& line : report.lines) all += text_of(line) + "; ";
  CHECK_MESSAGE(all.find("(bias)") != std::string::npos, all);
  CHECK_MESSAGE(all.find("= 0.2167") != std::string::npos, all);
  const Results off = results_of(opened("lesson=transformer-block&off=att").state.inputs);
  CHECK(text_of(report_of(off.runs, {"att", 1, 0}, 4).lines.front()).find("switched off") == 0);
}

TEST_CASE("sizes that do not go together are refused in words, and the next that do are named") {
  CHECK(sentence("&heads=3", "stream") == "8 columns cannot be shared by 3 heads. Try emb_dim 6 or 9.");
  CHECK(sentence("&emb_dim=1&heads=1", "norm1").find("One number has no spread") == 0);
  std::string flat;
  for (int c = 0; c < 8; ++c) flat += "&edit=resid_pre.1." + std::to_string(c) + ":2";
  CHECK(sentence(flat, "norm1").find("All numbers of journey are equal") == 0);
  CHECK(cells(runs_of(flat), "norm1").row(1).isZero());
}

TEST_CASE("a click on a part of the line opens its step, and controls take the other choice") {
  User user("lesson=transformer-block");
  user.act("part.ff");
  CHECK(step_of(user.state).id == std::string("ff"));
  for (const char* key : {"shortcuts", "norm", "variance", "bend"}) {
    const Inputs before = user.state.inputs;
    user.act(std::string("input.") + key);
    CHECK_FALSE(user.state.inputs == before);
    user.act(std::string("input.") + key);
    CHECK(user.state.inputs == before);
  }
  user.act("off.att");
  CHECK(user.state.inputs.off == std::vector<std::string>{"att"});
  CHECK(user.hand.said == "Attention is off.");
  user.act("off.ff");
  CHECK(user.state.inputs.off == std::vector<std::string>{"att", "ff"});
  user.act("off.att");
  CHECK(user.state.inputs.off == std::vector<std::string>{"ff"});
  user.act("norm.after");
  CHECK(user.state.inputs.post_norm);
  user.act("norm.before");
  CHECK_FALSE(user.state.inputs.post_norm);
  user.act("token.3");
  CHECK(selected_cell(user.state).row == 3);
}

TEST_CASE("the input bar offers what matters in a step, and what has been changed") {
  State state = defaults_of("transformer-block");
  CHECK(is_offered(state, "shortcuts"));
  CHECK_FALSE(is_offered(state, "eps"));
  CHECK_FALSE(is_offered(state, "d_in"));
  state.view.step = "norm-book";
  CHECK(is_offered(state, "eps"));
  state.inputs.eps = .5;
  state.view.step = "stream";
  CHECK(is_offered(state, "eps"));
}

namespace {

bool tells(const std::string& text, const char* words) { return text.find(words) != std::string::npos; }
std::string stacked_sentence(const std::string& query) {
  Results r = results_of(opened("lesson=transformer-block&step=stack" + query).state.inputs);
  while (r.has_work()) r.work_on();
  return sentence_of(*step_about(lesson_named("transformer-block"), "stack"), r);
}

}  // namespace

TEST_CASE("ReLU in GELU's place makes ff_relu alone, and the cell that is looked at goes along") {
  const Runs relu = runs_of("&bend=relu");
  CHECK(find(relu, "ff_relu"));
  CHECK_FALSE(find(relu, "ff_gelu"));
  CHECK(find(relu, "ff_hidden"));
  CHECK_FALSE(find(runs_of(""), "ff_relu"));
  User user("lesson=transformer-block&step=gelu");
  CHECK(selected_cell(user.state).name == "ff_gelu");
  user.act("input.bend");
  CHECK(selected_cell(user.state) == CellName{"ff_relu", 1, 12});
  const Results r = results_of(user.state.inputs);
  CHECK(std::string(explain(r.runs, selected_cell(user.state))->row->formula) == "torch.relu(ff_hidden)");
  const Code code = pytorch_of(r, user.state);
  CHECK(std::count_if(code.lines.begin(), code.lines.end(),
                      [&](const std::string& line) { return line.starts_with(code.lit); }) == 1);
  user.act("cell.ff_relu.2.3");
  user.act("input.bend");
  CHECK(selected_cell(user.state) == CellName{"ff_gelu", 2, 3});
}

TEST_CASE("a levelled row is said to have the variance that it has") {
  CHECK(tells(sentence("", "norm1"), "Mean 0, variance 1, for each word alone"));
  for (const char* query : {"&eps=1", "&variance=unbiased", "&eps=1&variance=unbiased"}) {
    const std::string text = sentence(query, "norm1");
    const Matrix row = cells(runs_of(query), "norm1").row(1);
    const double mean = double(row.mean()), variance = double(row.squaredNorm()) / 8 - mean * mean;
    CHECK_MESSAGE(tells(text, ("variance " + decimals(variance) + ", not 1").c_str()), text);
  }
  CHECK(tells(sentence("&eps=1", "norm1"), "eps is 1"));
  CHECK(tells(sentence("&emb_dim=1&heads=1&variance=unbiased", "norm1"), "NaN"));
}

TEST_CASE("the length that norms after the plus give is compared with √n and not called √n") {
  CHECK(tells(sentence("", "order"), "√8 = 2.8284: journey has 2.82"));
  for (const char* query : {"&eps=1", "&emb_dim=1&heads=1", "&emb_dim=2&heads=1&variance=unbiased"}) {
    const std::string text = sentence(query, "order");
    CHECK_MESSAGE(tells(text, "would be the length of variance 1"), text);
  }
  CHECK(tells(sentence("&eps=1", "order"), "√8 = 2.8284"));
}

TEST_CASE("a stack of no numbers and rows of zeros are told as what they are") {
  const std::string infinite = stacked_sentence("&edit=resid_pre.0.0:inf");
  CHECK_MESSAGE(tells(infinite, "rows hold NaN or ∞"), infinite);
  CHECK_FALSE(tells(infinite, "explode"));
  const std::string silent = stacked_sentence("&off=att,ff");
  CHECK_MESSAGE(tells(silent, "point nowhere: their likeness counts as 0.0000"), silent);
  CHECK(tells(stacked_sentence(""), "it drifts and does not explode"));
  const std::string stream = sentence("&norm=after&shortcuts=0&off=att,ff", "stream");
  CHECK_MESSAGE(tells(stream, "alike by 0.0000, where 1 is the same, for rows of zeros"), stream);
}

TEST_CASE("rows of zeros have no direction, and are like no other") {
  const Matrix zeros = Matrix::Zero(3, 2);
  Matrix two(3, 2);
  two << 1, 0, 0, 0, 2, 0;
  CHECK(likeness_of_rows(zeros) == 0);
  CHECK(likeness_of_rows(two) == doctest::Approx(1. / 3));
  CHECK(likeness(view(zeros), view(two)) == 0);
  two(1, 1) = std::nanf("");
  CHECK(std::isnan(likeness_of_rows(two)));
  CHECK(std::isnan(likeness(view(zeros), view(two))));
  CHECK(std::isnan(largest_size(two)));
  CHECK(largest_size(zeros) == 0);
}

TEST_CASE("with all heads off no word is said to move another") {
  CHECK(tells(sentence("", "att"), "all rows from journey on move"));
  CHECK(tells(sentence("&off=0,1,2", "att"), "all rows from journey on move"));
  const std::string off = sentence("&off=0,1,2,3", "att");
  CHECK_MESSAGE(tells(off, "out_proj's bias, the same for every word"), off);
  const Matrix att = cells(runs_of("&off=0,1,2,3"), "att");
  for (int row = 1; row < 6; ++row) CHECK(att.row(row) == att.row(0));
}

TEST_CASE("the gradients that are told divide to the factor that is told") {
  CHECK(tells(sentence("", "gradients"), "0.0002017, with them 0.2217: 1099 times"));
}
