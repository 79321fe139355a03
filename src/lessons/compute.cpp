#include "lessons/compute.hpp"

#include "core/example_heads.hpp"
#include "core/word_vectors.hpp"
#include "core/words.hpp"
#include "lessons/lesson.hpp"

namespace lab {

Runs compute(const Inputs& in) {
  Runs runs;
  runs.words = words_of(in.text);
  if (int(runs.words.size()) > kMaxWords) runs.words.resize(kMaxWords);
  const bool example = in.example && has_control(lesson_named(in.lesson), "example");
  runs.inputs = example ? example_inputs(runs.words) : word_vectors(runs.words, in.d_in, in.word_seed);
  apply_edits(runs.inputs, "", in.edits);
  lesson_named(in.lesson).make_runs(runs, in);
  return runs;
}

}  // namespace lab
