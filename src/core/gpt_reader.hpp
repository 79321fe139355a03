// Reads tokens with a GPT, a block at a time and a few rows at a time, so that a page can draw in between; a
// token that is added costs one row. Kept is what the lab shows: of each block the stream, queries, keys and
// values, of each head a small picture. The stages of a head are made again from them when they are looked at
// (gpt_head.hpp).
#pragma once
#include <algorithm>
#include <vector>

#include "core/gpt.hpp"

namespace lab {

// Otherwise than the book has it, to see what each thing is for.
struct GptHow {
  bool tied = false;  // the output head is the token embedding, whatever the model has
  bool shortcuts = true;
  bool scaled = true;       // scores ÷ √head_dim
  std::vector<int> off;     // heads that say nothing: block × n_heads + head
  bool keep_stream = true;  // resid_pre and resid_mid of every block
  int more = 0;             // tokens that will be appended, so that nothing has to move for them
  bool operator==(const GptHow&) const = default;
};

constexpr int kGlance = 32;  // rows and columns of a head's small picture, at most
// The more heads there are, the less room each has beside the others.
int glance_size(const GptConfig& config, int tokens);

// How far numbers lie apart: their standard deviation over n − 1, as torch.std has it; counted as they come.
struct Spread {
  double sum = 0, squares = 0;
  std::int64_t count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double spread() const;  // 0 of less than two
};

// A head at a glance, of the text that was given at first.
struct HeadGlance {
  // Share beside an even one, log₂(share × words that the row may look at), from −1, half of it and less, to
  // 1, twice as much and more; 0 is even. T × T up to glance_size() tokens, beyond them the mean share of a
  // rectangle of cells.
  Matrix map;
  Matrix last_row;  // 1 × T, the shares of the last token
  Spread score;     // of all visible scores, as they enter softmax
};

struct StreamFigures {
  // Mean length of the rows that pass through a block: of the stream, and of what is added to it.
  double pre = 0, att = 0, mid = 0, ff = 0, post = 0;
  double likeness = 0;                           // of resid_pre: likeness_of_rows()
  double norm_spread = 0, projected_spread = 0;  // of what its first norm gives; of its queries and keys
};

struct GptBlockReading {
  Matrix resid_pre, resid_mid;   // T × emb_dim; empty unless kept
  Matrix queries, keys, values;  // T × emb_dim and room for more; keys and values are the cache
  Matrix lengths;                // T × 5, of each row those of StreamFigures
  StreamFigures figures;
  Spread norm;
  std::vector<HeadGlance> heads;
};

class GptReader {
 public:
  // params must outlive the reader; a block of it has to be there when it is read, no longer. ids: at most
  // context_length, each of the vocabulary.
  GptReader(const GptParams& params, std::vector<int> ids, GptHow how = {});

  // A few rows further, in the block whose turn it is; at the end the last row's logits.
  void step();
  bool done() const { return block_ > last_block(); }
  int block() const { return block_; }  // whose turn it is; blocks().size(): the head's
  double progress() const;              // 0 … 1
  void append(int id);                  // and go on with step(): only its row is new
  void forget_appended();               // once done

  const GptConfig& config() const { return params_.config; }
  const GptHow& how() const { return how_; }
  const std::vector<int>& ids() const { return ids_; }
  int given() const { return given_; }  // tokens of the text that was read first
  int blocks_read() const {             // of the text that was given
    return given_logits_.size() ? last_block() : std::min(block_, last_block());
  }
  const std::vector<GptBlockReading>& blocks() const { return blocks_; }
  Matrix resid_post() const { return out_.topRows(read_); }  // T × emb_dim, behind the last block; once done
  double likeness() const { return likeness_; }              // of its rows, of the text that was given
  double length() const { return length_; }                  // mean, of the same
  const Matrix& given_final_norm() const { return given_normed_; }
  const Matrix& final_norm() const { return normed_; }          // 1 × emb_dim, of the last token
  const Matrix& logits() const { return logits_; }              // 1 × vocab_size, of the last token
  const Matrix& given_logits() const { return given_logits_; }  // of the last one that was given
  // Of the text that was given, made when asked for: T × emb_dim, T × vocab_size.
  Matrix all_final_norms() const;
  Matrix all_logits() const;

  // float32 numbers that it keeps for so many tokens, room for more included.
  static std::int64_t numbers_kept(const GptConfig& config, int tokens, bool keep_stream);

 private:
  int last_block() const { return int(blocks_.size()); }  // after the blocks comes the head
  int rows_new() const { return int(ids_.size()) - read_; }
  int rows_at_once() const;
  void embed_new();
  void read_rows(const TransformerBlockParams& p, GptBlockReading& b, int first, int rows);
  void attend(GptBlockReading& b, int first, Matrix& context);
  int glance_place(int token) const;
  void look_at_row(HeadGlance& head, const float* shares, int row);
  void end_block(GptBlockReading& b);
  void read_head();
  const Parameter& head() const;

  const GptParams& params_;
  std::vector<int> ids_;
  GptHow how_;
  int given_;
  int glance_;  // rows and columns of each head's map
  std::vector<GptBlockReading> blocks_;
  int block_ = 0;  // the next to be read
  int row_ = 0;    // of those that are new, the next to be read in it
  int read_ = 0;   // tokens that have been through all of it
  Matrix x_;       // the rows that are new, on their way
  Matrix out_, normed_, logits_, given_logits_, given_normed_;
  double likeness_ = 0, length_ = 0;
};


// Of the rows of a T × width matrix: how alike they are, the mean cosine of all pairs; 1 of a single row.
// A row of length 0 points nowhere: its cosine with any other counts as 0.
double likeness_of_rows(const Matrix& x);
double mean_length(const Matrix& x);  // of its rows

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
// top_k: only so many of the largest have a share at all; 0: all.
NextTokens next_tokens(const Matrix& logits, int most, double temperature = 1, int top_k = 0);

// rows × vocab_size, what softmax makes of the scores.
Matrix shares_of(const Matrix& logits, double temperature, int top_k);

// Shares laid end to end by id; the one in which u lies, 0 ≤ u < 1.
int token_by_chance(const Matrix& logits, double temperature, int top_k, float u);

}  // namespace lab
