#include "lessons/compute.hpp"

#include "core/word_vectors.hpp"
#include "core/words.hpp"
#include "lessons/lesson.hpp"

namespace lab {

Runs compute(const Inputs& in) {
  Runs runs;
  runs.words = words_of(in.text);
  if (int(runs.words.size()) > kMaxWords) runs.words.resize(kMaxWords);
  const Lesson& lesson = lesson_named(in.lesson);
  runs.inputs =
      lesson.inputs ? lesson.inputs(runs.words, in) : word_vectors(runs.words, in.d_in, in.word_seed);
  apply_edits(runs.inputs, "", in.edits);
  lesson.make_runs(runs, in);
  return runs;
}

}  // namespace lab
