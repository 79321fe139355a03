// What is on the screen: one or more passes of the same forward(), and every matrix in them by its name.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bench.hpp"
#include "core/cell.hpp"
#include "core/run.hpp"

namespace lab {

struct Runs {
  std::vector<std::string> words;  // T
  Parameter inputs;                // T × d_in, one vector a word; the runs of a lesson share it
  std::vector<Run> runs;

  // The transfer bench, where there is one: its two sides are the runs "source." and "target.".
  std::optional<Bench> bench;
  Matrix difference;      // T × d_out, source.context_vec − target.context_vec
  Comparison comparison;  // of the two outputs

  // The leak meter, where there is one: of the run without a prefix; "perturbed." is that run with one word
  // nudged.
  Matrix influence;                   // T × T
  Matrix leak;                        // T × 1
  std::vector<std::string> problems;  // for people: what of the inputs could not be done
};

constexpr const char* kUnedited = "unedited.";  // before the prefix of a run: the same without edits

struct AtlasRow;

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

// Names of all matrices in the order in which they are made: inputs, then per run its parameters and its
// trace.
std::vector<std::string> names(const Runs& runs);

}  // namespace lab
