// The GPT lesson as Python: the classes of chapter 4 in a few lines, and what the screen shows.
#include "core/number_text.hpp"
#include "lessons/pytorch_lines.hpp"
#include "lessons/text.hpp"

namespace lab {
namespace {

constexpr const char* kClasses[] = {
    "class LayerNorm(nn.Module):",
    "    def __init__(self, emb_dim):",
    "        super().__init__()",
    "        self.scale, self.shift = nn.Parameter(torch.ones(emb_dim)), nn.Parameter(torch.zeros(emb_dim))",
    "    def forward(self, x):",
    "        var = x.var(dim=-1, keepdim=True, unbiased=False)",
    "        return self.scale * (x - x.mean(dim=-1, keepdim=True)) / torch.sqrt(var + 1e-5) + self.shift",
    "class GELU(nn.Module):",
    "    def forward(self, x):",
    "        return 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x ** 3)))",
    "class MultiHeadAttention(nn.Module):",
    "    def __init__(self, c):",
    "        super().__init__()",
    "        d, self.n_heads = c['emb_dim'], c['n_heads']",
    "        self.W_query = nn.Linear(d, d, bias=c['qkv_bias'])",
    "        self.W_key = nn.Linear(d, d, bias=c['qkv_bias'])",
    "        self.W_value = nn.Linear(d, d, bias=c['qkv_bias'])",
    "        self.out_proj = nn.Linear(d, d)",
    "    def forward(self, x):",
    "        b, T, d = x.shape",
    "        q, k, v = [f(x).view(b, T, self.n_heads, -1).transpose(1, 2) for f in (self.W_query, "
    "self.W_key, self.W_value)]",
    "        future = torch.triu(torch.ones(T, T), diagonal=1).bool()",
    "        scores = (q @ k.transpose(2, 3)).masked_fill(future, -torch.inf)",
};
constexpr const char* kBlock[] = {
    "        return self.out_proj((weights @ v).transpose(1, 2).reshape(b, T, d))",
    "class TransformerBlock(nn.Module):",
    "    def __init__(self, c):",
    "        super().__init__()",
    "        d = c['emb_dim']",
    "        self.att = MultiHeadAttention(c)",
    "        self.ff = nn.Sequential(nn.Linear(d, 4 * d), GELU(), nn.Linear(4 * d, d))",
    "        self.norm1, self.norm2 = LayerNorm(d), LayerNorm(d)",
    "    def forward(self, x):",
};
constexpr const char* kModel[] = {
    "class GPTModel(nn.Module):",
    "    def __init__(self, c):",
    "        super().__init__()",
    "        self.tok_emb = nn.Embedding(c['vocab_size'], c['emb_dim'])",
    "        self.pos_emb = nn.Embedding(c['context_length'], c['emb_dim'])",
    "        self.trf_blocks = nn.Sequential(*[{0} for _ in range(c['n_layers'])])",
    "        self.final_norm = {1}",
    "        self.out_head = nn.Linear(c['emb_dim'], c['vocab_size'], bias=False)",
};

Lines lines_of(std::span<const char* const> lines) { return {lines.begin(), lines.end()}; }

}  // namespace

Code gpt_code(const Results& r, const std::string&) {
  if (!r.gpt || r.gpt->ids().empty()) return {};
  const GptConfig& c = r.gpt->config();
  Lines lines = lines_of(kClasses);
  lines.push_back(filled("        weights = torch.softmax(scores{0}, dim=-1)",
                         {r.inputs.scaled ? " / k.shape[-1] ** 0.5" : ""}));
  append(lines, lines_of(kBlock));
  const std::string back = r.inputs.shortcuts ? "x + " : "";
  lines.push_back(filled("        x = {0}self.att(self.norm1(x))", {back}));
  lines.push_back(filled("        return {0}self.ff(self.norm2(x))", {back}));
  for (const char* line : kModel)
    lines.push_back(
        filled(line, c.dummy ? std::vector<std::string>{"nn.Identity()", "nn.Identity()"}
                             : std::vector<std::string>{"TransformerBlock(c)", "LayerNorm(c['emb_dim'])"}));
  lines.push_back(
      filled("config = dict(vocab_size={0}, context_length={1}, emb_dim={2}, n_heads={3}, n_layers={4}, "
             "qkv_bias={5})",
             {std::to_string(c.vocab_size), std::to_string(c.context_length), std::to_string(c.emb_dim),
              std::to_string(c.n_heads), std::to_string(c.n_layers), c.qkv_bias ? "True" : "False"}));
  lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  lines.push_back("model = GPTModel(config).eval()");
  lines.push_back("print(sum(p.numel() for p in model.parameters()))");
  std::string ids;
  for (const int id : r.gpt->ids()) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
  lines.push_back(filled("ids = torch.tensor([[{0}]])", {ids}));
  if (r.inputs.by_chance) lines.push_back("torch.manual_seed(" + std::to_string(r.inputs.seed) + ")");
  lines.push_back(filled("for turn in range({0}):", {std::to_string(r.gpt->to_write())}));
  lines.push_back("    x = model.tok_emb(ids) + model.pos_emb(torch.arange(ids.shape[1]))");
  lines.push_back("    for block in model.trf_blocks: x = block(x)");
  lines.push_back(filled("    logits = {0}", {r.inputs.tied ? "model.final_norm(x) @ model.tok_emb.weight.T"
                                                            : "model.out_head(model.final_norm(x))"}));
  if (r.inputs.top_k > 0) {
    lines.push_back(
        filled("    least = torch.topk(logits, {0}).values[..., -1:]", {std::to_string(r.inputs.top_k)}));
    lines.push_back("    logits = logits.masked_fill(logits < least, -torch.inf)");
  }
  const std::string cooled = r.inputs.temperature == 1 ? "" : " / " + number_text(r.inputs.temperature);
  lines.push_back(filled("    probas = torch.softmax(logits[:, -1]{0}, dim=-1)", {cooled}));
  lines.push_back(filled("    ids = torch.cat([ids, {0}.argmax(dim=-1, keepdim=True)], dim=-1)",
                         {r.inputs.by_chance ? "(probas.cumsum(dim=-1) > torch.rand(1)).int()" : "probas"}));
  lines.push_back("print(ids)");
  return program_without_inputs(lines);
}

}  // namespace lab
