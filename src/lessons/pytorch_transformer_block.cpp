// The lesson of the transformer block as Python: a line a matrix, and after it the user's edits of that
// matrix.
#include <algorithm>

#include "core/number_text.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/transformer_block_texts.hpp"
#include "lessons/told.hpp"
#include "lessons/transformer_block_lesson.hpp"

namespace lab {
namespace {

using transformer_block_texts::is_off;

std::string text(int n) { return std::to_string(n); }

// A matrix of the lab and its variable in Python. Of every head: "att.heads.*.keys" is k[head].
struct Twin {
  std::string lab, python;
};

class Writer {
 public:
  explicit Writer(const Results& r) : r_(r) {}

  void line(const std::string& words) { lines_.push_back(words); }
  // The line, and the edits of what it makes.
  void made(const std::string& words, const std::vector<Twin>& twins) {
    line(words);
    edits(twins);
  }
  void edits(const std::vector<Twin>& twins) {
    for (const Twin& t : twins)
      for (const Edit& e : r_.inputs.edits) edit(t, e);
  }
  void rows(const std::string& name, const std::vector<const Matrix*>& matrices, bool of_heads) {
    line(name + " = torch.tensor([");
    for (const Matrix* m : matrices) {
      if (of_heads) line("    [");
      for (int row = 0; row < int(m->rows()); ++row)
        line((of_heads ? "        " : "    ") + row_literal(*m, row) + ",");
      if (of_heads) line("    ],");
    }
    line("])");
  }
  const Lines& lines() const { return lines_; }
  int told() const { return told_; }

 private:
  void edit(const Twin& t, const Edit& e) {
    const auto found = find(r_.runs, e.cell.name);
    if (!value_of(r_.runs, e.cell)) return;
    const std::size_t star = t.lab.find('*');
    if (star == std::string::npos) {
      if (e.cell.name != t.lab) return;
      line(assignment(t.python, e, found->parameter && found->parameter->one_dimensional));
      ++told_;
      return;
    }
    for (int h = 0; h < r_.inputs.heads; ++h)
      if (e.cell.name == t.lab.substr(0, star) + text(h) + t.lab.substr(star + 1)) {
        line(assignment(t.python + "[" + text(h) + "]", e, false));
        ++told_;
      }
  }

  const Results& r_;
  Lines lines_;
  int told_ = 0;
};

std::vector<Twin> linear(const std::string& lab, const std::string& python) {
  return {{lab + ".weight", python + ".weight.data"}, {lab + ".bias", python + ".bias.data"}};
}

void write_parameters(Writer& w, const Results& r) {
  const Inputs& in = r.inputs;
  const std::string d = text(in.emb_dim), wide = text(4 * in.emb_dim);
  w.line("torch.manual_seed(" + std::to_string(in.seed) + ")");
  const int words = int(r.runs.words.size()), drawn = std::max(6, words);
  w.made(filled("resid_pre = torch.rand({0}, {1}){2}",
                {text(drawn), d, words < drawn ? "[:" + text(words) + "]" : ""}),
         {{"resid_pre", "resid_pre"}});
  w.line(filled("W_query, W_key, W_value = [nn.Linear({0}, {0}, bias={1}) for _ in range(3)]",
                {d, in.bias ? "True" : "False"}));
  w.line(filled("out_proj = nn.Linear({0}, {0})", {d}));
  w.line(filled("ff1, ff2 = nn.Linear({0}, {1}), nn.Linear({1}, {0})", {d, wide}));
  for (const char* norm : {"norm1", "norm2"})
    w.line(filled("{0}_scale, {0}_shift = torch.ones({1}), torch.zeros({1})", {norm, d}));
  for (const char* name : {"W_query", "W_key", "W_value", "out_proj"})
    w.edits(linear(std::string("att.") + name, name));
  w.edits(linear("ff.layers.0", "ff1"));
  w.edits(linear("ff.layers.2", "ff2"));
  for (const std::string norm : {"norm1", "norm2"})
    w.edits({{norm + ".scale", norm + "_scale"}, {norm + ".shift", norm + "_shift"}});
}

bool drops_weights(const Results& r) { return rates_of(r.inputs).attention > 0; }
bool drops_rows(const Results& r) { return rates_of(r.inputs).shortcut > 0; }

// Two builds of PyTorch drop different cells from one seed, so the masks are written out.
void write_masks(Writer& w, const Results& r) {
  const Run& block = r.runs.runs[0];
  w.line(filled("keep = torch.tril(torch.ones({0}, T, T))", {text(r.inputs.heads)}));
  w.edits({{"att.heads.*.keep", "keep"}});
  if (drops_weights(r)) {
    w.line("# drop_rate_attn = " + number_text(rates_of(r.inputs).attention));
    std::vector<const Matrix*> of_heads;
    for (const Run& head : block.parts[0].parts) of_heads.push_back(&head.pass.dropout_mask);
    w.rows("dropout_mask", of_heads, true);
    w.edits({{"att.heads.*.dropout_mask", "dropout_mask"}});
  }
  if (!drops_rows(r)) return;
  w.line("# drop_rate_shortcut = " + number_text(rates_of(r.inputs).shortcut));
  for (const int half : {1, 2}) {
    const Matrix& mask = half == 1 ? block.block->pass.shortcut_drop1 : block.block->pass.shortcut_drop2;
    const std::string name = "drop_mask" + text(half);
    w.rows(name, {&mask}, false);
    w.edits({{name, name}});
  }
}

void write_norm(Writer& w, const Results& r, const std::string& number, const std::string& from) {
  w.made(filled("mean{0} = {1}.mean(-1, keepdim=True)", {number, from}),
         {{"mean" + number, "mean" + number}});
  const std::string over = r.inputs.unbiased
                               ? filled("sum(-1, keepdim=True) / {0}", {text(r.inputs.emb_dim - 1)})
                               : "mean(-1, keepdim=True)";
  w.made(filled("var{0} = (({1} - mean{0}) ** 2).{2}", {number, from, over}),
         {{"var" + number, "var" + number}});
  w.made(filled("norm{0} = ({1} - mean{0}) / torch.sqrt(var{0} + {2}) * norm{0}_scale + norm{0}_shift",
                {number, from, number_text(float(r.inputs.eps))}),
         {{"norm" + number, "norm" + number}});
}

void write_attention(Writer& w, const Results& r, const std::string& from) {
  const Inputs& in = r.inputs;
  const bool drops = drops_weights(r);
  const std::string width = text(in.emb_dim / in.heads);
  for (const char* name : {"queries", "keys", "values"}) {
    const std::string projection = std::string("W_") + (name[0] == 'q'   ? "query"
                                                        : name[0] == 'k' ? "key"
                                                                         : "value");
    w.made(filled("{0} = {1}({2})", {name, projection, from}), {{std::string("att.") + name, name}});
  }
  w.made(filled("q, k, v = [y.view(T, {0}, {1}).transpose(0, 1).clone() for y in (queries, keys, values)]",
                {text(in.heads), width}),
         {{"att.heads.*.queries", "q"}, {"att.heads.*.keys", "k"}, {"att.heads.*.values", "v"}});
  w.made("attn_scores = q @ k.transpose(1, 2)", {{"att.heads.*.attn_scores", "attn_scores"}});
  w.made("masked_scores = attn_scores.masked_fill(keep == 0, -torch.inf)",
         {{"att.heads.*.masked_scores", "masked_scores"}});
  w.made(filled("attn_weights = torch.softmax(masked_scores / {0} ** 0.5, dim=-1)", {width}),
         {{"att.heads.*.masked_softmax", "attn_weights"}, {"att.heads.*.attn_weights", "attn_weights"}});
  if (drops)
    w.made("attn_weights_dropped = attn_weights * dropout_mask",
           {{"att.heads.*.attn_weights_dropped", "attn_weights_dropped"}});
  w.made(drops ? "context_vec = attn_weights_dropped @ v" : "context_vec = attn_weights @ v",
         {{"att.heads.*.context_vec", "context_vec"}});
  for (int h = 0; h < in.heads; ++h)
    if (is_off(r, text(h).c_str())) w.line(filled("context_vec[{0}] = 0", {text(h)}));
  w.made(filled("concat = context_vec.transpose(0, 1).reshape(T, {0})", {text(in.emb_dim)}),
         {{"att.concat", "concat"}});
  w.made("att = out_proj(concat)", {{"att.out", "att"}});
  if (is_off(r, "att")) w.line("att = torch.zeros_like(att)");
  w.edits({{"att", "att"}});
}

void write_feed_forward(Writer& w, const Results& r, const std::string& from) {
  w.made(filled("ff_hidden = ff1({0})", {from}), {{"ff_hidden", "ff_hidden"}});
  const std::string bent = r.inputs.relu ? "ff_relu" : "ff_gelu";
  w.made(bent + (r.inputs.relu ? " = torch.relu(ff_hidden)" : " = gelu(ff_hidden)"), {{bent, bent}});
  w.line(filled("ff_out = ff2({0})", {bent}));
  if (is_off(r, "ff")) w.line("ff_out = torch.zeros_like(ff_out)");
  w.edits({{"ff_out", "ff_out"}});
}

// What a box said, dropped and added to what stood before; with the norm behind the plus, if it stands there.
void write_sum(Writer& w, const Results& r, const std::string& number, const std::string& before,
               const std::string& said, const std::string& to) {
  const std::string box = number == "1" ? "att" : "ff";
  std::string term = said;
  if (drops_rows(r)) {
    term = box + "_dropped";
    w.made(filled("{0} = {1} * drop_mask{2}", {term, said, number}), {{term, term}});
  }
  const std::string sum = r.inputs.post_norm ? box + "_added" : to;
  w.made(r.inputs.shortcuts ? filled("{0} = {1} + {2}", {sum, before, term})
                            : filled("{0} = {1}.clone()", {sum, term}),
         {{sum, sum}});
  if (!r.inputs.post_norm) return;
  write_norm(w, r, number, sum);
  w.made(filled("{0} = norm{1}.clone()", {to, number}), {{to, to}});
}

void write_deep_net(Writer& w, const Results& r) {
  for (const char* line :
       {"class DeepNet(nn.Module):", "    def __init__(self, use_shortcut, sizes=(3, 3, 3, 3, 3, 1)):",
        "        super().__init__()", "        self.use_shortcut = use_shortcut",
        "        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))",
        "    def forward(self, x):", "        for layer in self.layers:", "            out = gelu(layer(x))",
        "            x = x + out if self.use_shortcut and x.shape == out.shape else out", "        return x",
        "gradients = []", "for use_shortcut in (False, True):"})
    w.line(line);
  w.line("    torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  for (const char* line :
       {"    net = DeepNet(use_shortcut)",
        "    nn.MSELoss()(net(torch.tensor([[1.0, 0.0, -1.0]])), torch.zeros(1, 1)).backward()",
        "    gradients.append([layer.weight.grad.abs().mean().item() for layer in net.layers])"})
    w.line(line);
}

}  // namespace

Code transformer_block_code(const Results& r, const std::string&) {
  if (r.runs.words.empty() || !r.runs.runs[0].block) return {};
  Writer w(r);
  w.line("def gelu(x):");
  w.line("    return 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x ** 3)))");
  write_parameters(w, r);
  w.line("T = resid_pre.shape[0]");
  write_masks(w, r);
  const bool post = r.inputs.post_norm;
  if (!post) write_norm(w, r, "1", "resid_pre");
  write_attention(w, r, post ? "resid_pre" : "norm1");
  write_sum(w, r, "1", "resid_pre", "att", "resid_mid");
  if (!post) write_norm(w, r, "2", "resid_mid");
  write_feed_forward(w, r, post ? "resid_mid" : "norm2");
  write_sum(w, r, "2", "resid_mid", "ff_out", "resid_post");
  write_deep_net(w, r);
  const int others = int(r.inputs.edits.size()) - w.told();
  if (others > 0) w.line("# edited in the lab alone: " + counted(others, "cell"));
  w.line("print(resid_post)");
  Code code = program_without_inputs(w.lines());
  if (r.inputs.relu) code.lit = "ff_relu =";  // the steps speak of ff_gelu
  return code;
}

}  // namespace lab
