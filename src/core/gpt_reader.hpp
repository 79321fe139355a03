// Reads tokens with a GPT block by block, and keeps of each block what the lab shows; so that a page can draw
// between two blocks, and a token that is added costs one row.
#pragma once
#include <algorithm>
#include <vector>

#include "core/gpt.hpp"

namespace lab {

// Otherwise than the book has it, to see what each thing is for.
struct GptHow {
  bool tied = false;  // the output head is the token embedding, whatever the model has
  bool shortcuts = true;
  bool scaled = true;    // scores ÷ √head_dim
  float gain = 1;        // scores × this
  std::vector<int> off;  // heads that say nothing: block × n_heads + head
  bool operator==(const GptHow&) const = default;
};

struct GptBlockReading {
  Matrix resid_pre, resid_mid;       // T × emb_dim
  Matrix queries, keys, values;      // T × emb_dim; keys and values are the cache
  std::vector<Matrix> attn_weights;  // of each head, T × T
};

class GptReader {
 public:
  // params must outlive the reader. ids: at most context_length, each of the vocabulary.
  GptReader(const GptParams& params, std::vector<int> ids, GptHow how = {});

  void step();  // one block further for all rows that are new; the last one gives the logits
  bool done() const { return block_ > last_block(); }
  double progress() const { return double(block_) / double(last_block() + 1); }
  void append(int id);  // and go on with step(): only its row is new

  const std::vector<int>& ids() const { return ids_; }
  int blocks_read() const { return std::min(block_, int(blocks_.size())); }
  const std::vector<GptBlockReading>& blocks() const { return blocks_; }
  const Matrix& resid_post() const { return out_; }     // T × emb_dim, behind the last block; once done
  const Matrix& final_norm() const { return normed_; }  // 1 × emb_dim, of the last token
  const Matrix& logits() const { return logits_; }      // 1 × vocab_size, of the last token
  Matrix all_logits() const;                            // T × vocab_size, made when asked for

 private:
  int last_block() const { return int(blocks_.size()); }  // after the blocks comes the head
  void embed_new();
  void read_block(const TransformerBlockParams& p, GptBlockReading& b, int index);
  void attend(GptBlockReading& b, int index, Matrix& context);
  void read_head();
  const Parameter& head() const;

  const GptParams& params_;
  std::vector<int> ids_;
  GptHow how_;
  std::vector<GptBlockReading> blocks_;
  int block_ = 0;  // the next to be read
  int read_ = 0;   // tokens that have been through all of it
  Matrix x_;       // the rows that are new, on their way
  Matrix out_, normed_, logits_;
};

// T × T: each share beside an even one, log₂(share × words that the row may look at), from −1, half of it and
// less, to 1, twice as much and more; 0 is even.
Matrix relative_weights(const Matrix& attn_weights);
// 0 … 1: how far the largest share of the last row is above an even one, on that scale.
float boldness_of(const Matrix& attn_weights);

// Of the rows of a T × width matrix: how alike they are, the mean cosine of all pairs; 1 of a single row.
double likeness_of_rows(const Matrix& x);
// Mean length of the rows.
double mean_length(const Matrix& x);

struct NextToken {
  int id;
  double share;  // 0 … 1
};
// The likeliest tokens and how undecided the model is.
struct NextTokens {
  std::vector<NextToken> top;
  double entropy = 0;    // nats
  double spread = 0;     // standard deviation of the logits
  double log_total = 0;  // ln Σ exp(logit)
};
NextTokens next_tokens(const Matrix& logits, int most, double temperature = 1);

}  // namespace lab
