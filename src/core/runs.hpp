// What is on the screen: one or more passes of the same forward(), and every matrix in them by its name.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench.hpp"
#include "core/cell.hpp"
#include "core/run.hpp"
#include "core/shortcut_net.hpp"

namespace lab {

struct AtlasRow;

// Two matrices of the runs, compared.
struct Difference {
  const AtlasRow* row;  // difference_row() or another of those that belong to no run
  std::string a, b;
  Matrix cells;  // a − b
};

struct Runs {
  std::vector<std::string> words;  // T
  Parameter inputs;                // T × d_in, one vector a word; the runs of a lesson share it
  std::vector<Run> runs;

  // The transfer bench, where there is one: its two sides are the runs "source." and "target.".
  std::optional<Bench> bench;
  Comparison comparison;  // of the two outputs

  std::vector<Difference> differences;  // each by a name of its own

  // The deep network that shows what shortcuts save: without them and with them; empty where a lesson has
  // none.
  std::vector<ShortcutPass> shortcut_passes;

  // The leak meter, where there is one: of the run without a prefix; "perturbed." is that run with one word
  // nudged.
  Matrix influence;                   // T × T
  Matrix leak;                        // T × 1
  std::vector<std::string> problems;  // for people: what of the inputs could not be done
};

constexpr const char* kBlocks = "blocks.";  // before the number of a GPT's block
// Before the prefix of a run: the same without edits, and before heads were swapped or switched off.
constexpr const char *kUnedited = "unedited.", *kBefore = "before.";

// A matrix found by name. Exactly one of row and parameter is set.
struct Found {
  MatrixView cells;          // a parameter: as it is stored
  const Run* run = nullptr;  // null: "inputs" and what is made from several runs
  const AtlasRow* row = nullptr;
  const Parameter* parameter = nullptr;
};
std::optional<Found> find(const Runs& runs, std::string_view name);
std::optional<float> value_of(const Runs& runs, const CellName& cell);

// A cell of it can be overwritten: a parameter, the inputs, or a matrix that a pass makes for the screen.
bool is_editable(const Runs& runs, std::string_view name);

// Their names in full, of what a matrix is made from: "mha.queries", "mha.W_query.weight". None: it is made
// from nothing; of a parameter those that its numbers were moved from.
std::vector<std::string> sources(const Runs& runs, const Found& found);

// Adds a − b under the row's name, where both are there. Names of matrices of one shape.
void add_difference(Runs& runs, const AtlasRow& row, std::string a, std::string b);
const Matrix& difference_named(const Runs& runs, std::string_view name);  // empty: there is none

// Names of all matrices in the order in which they are made: inputs, then per run its parameters and its
// trace.
std::vector<std::string> names(const Runs& runs);

}  // namespace lab
