#include "lessons/roadmap_lesson.hpp"

#include "lessons/questions/questions.hpp"
#include "lessons/texts/roadmap_texts.hpp"

namespace lab {
namespace {

using namespace roadmap_texts;

const Step kSteps[] = {
    {.id = "build", .says = &build, .cell = {}},
    {.id = "pretrain", .says = &pretrain, .cell = {}},
    {.id = "finetune", .says = &finetune, .cell = {}},
    questions::roadmap().front(),
};

}  // namespace

Lesson roadmap_lesson() {
  return {
      .id = "roadmap",
      .says = &lesson,
      .controls = "",
      .steps = kSteps,
      .make_runs = [](Runs&, const Inputs&) {},
      .program = [](const Results&, const std::string&) { return Code{}; },
      .stage = Stage::roadmap,
      .questions = questions::roadmap(),
  };
}

}  // namespace lab
