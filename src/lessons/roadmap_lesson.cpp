#include "lessons/roadmap_lesson.hpp"

namespace lab {
namespace {

std::string build_text(const Results&) {
  return "Attention, its mask, its heads, a block, and a GPT built of blocks: every shape right, every "
         "number exact, and "
         "nothing learned yet. A complete instrument that nobody has tuned. This lab is about this stage.";
}
std::string pretrain_text(const Results&) {
  return "The next chapter adds the training loop: show the model text, measure how surprised it is by each "
         "next word, "
         "nudge every number to lessen that, repeat. Not one shape changes. When the surprise has fallen "
         "far, you have a "
         "foundation model.";
}
std::string finetune_text(const Results&) {
  return "Take the foundation model and train it a little more for one job: sorting messages, or following "
         "instructions. The architecture stays the one that you take apart here. It begins with moving "
         "weights.";
}

const Question kQuestion = {
    .id = "rm2",
    .kind = Question::Kind::choice,
    .asked =
        [](const Results&) {
          return std::string("The model of stage 1 is complete. What does the next chapter add first?");
        },
    .answer = [](const Results&) { return std::string("0"); },
    .revealed =
        [](const Results&) {
          return std::string(
              "The training loop: it shows text, measures the surprise and nudges the numbers. The shapes "
              "stay as they are.");
        },
    .why_not = "The architecture is complete; what is missing is anything that it has learned.",
    .hints = {"Every shape is right already. What do the numbers lack?",
              "Numbers change when something nudges them, again and again."},
    .choices = {"A training loop", "More blocks", "Larger matrices"},
};

const Step kSteps[] = {
    {.id = "build", .title = "Stage 1: build the LLM", .text = build_text, .cell = {}},
    {.id = "pretrain", .title = "Stage 2: pretrain it", .text = pretrain_text, .cell = {}},
    {.id = "finetune",
     .title = "Stage 3: fine-tune it",
     .text = finetune_text,
     .cell = {},
     .label = "Fine-tune"},
};

}  // namespace

Lesson roadmap_lesson() {
  return {
      .id = "roadmap",
      .title = "Roadmap",
      .purpose = "From one head to a model that answers: three stages, and this lab is the first.",
      .controls = "",
      .steps = kSteps,
      .make_runs = [](Runs&, const Inputs&) {},
      .program = [](const Results&, const std::string&) { return Code{}; },
      .stage = Stage::roadmap,
      .question = &kQuestion,
  };
}

}  // namespace lab
