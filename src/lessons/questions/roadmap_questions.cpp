// The roadmap: what is to come changes numbers, not shapes.
#include "core/gpt_config.hpp"
#include "lessons/questions/questions.hpp"
#include "lessons/text.hpp"
#include "lessons/texts/gpt_texts.hpp"

namespace lab::questions {
namespace {

std::string nothing(const Results&) { return ""; }

const Question rm2 = {
    .id = "rm2",
    .kind = Question::Kind::choice,
    .lacks = nothing,
    .asked =
        [](const Results&) {
          return std::string("The model of stage 1 is complete. What does the next chapter add first?");
        },
    .answer = [](const Results&) { return place(0); },
    .revealed =
        [](const Results&) {
          return std::string(
              "The training loop: it shows text, measures the surprise and nudges the numbers. The shapes "
              "stay as they are.");
        },
    .why_not = [](const Results&, const std::string&) -> std::string {
      return "That would change the architecture, and it is complete.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"Every shape is right already. What do the numbers lack?",
              "They are random draws: nothing has been learned yet.",
              "Learning nudges the numbers, again and again. Which of the three does something again and "
              "again?"};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"A training loop", "More blocks", "Larger matrices"};
    },
};

const Question rm1 = {
    .id = "rm1",
    .kind = Question::Kind::choice,
    .lacks = nothing,
    .asked =
        [](const Results&) {
          return filled("GPT-2 small has {0} parameters. Which stage decides how many there are?",
                        {gpt_texts::grouped(ledger_of(gpt_sizes().front().config, 1, 1).parameters)});
        },
    .answer = [](const Results&) { return place(0); },
    .revealed =
        [](const Results&) {
          return std::string(
              "Building it: the count follows from the configuration alone, and was right before a single "
              "number was learned. Training moves the numbers and adds none.");
        },
    .why_not = [](const Results&, const std::string&) -> std::string {
      return "Training moves numbers. It neither adds nor removes any.";
    },
    .hints = [](const Results&) -> std::vector<std::string> {
      return {"When were the matrices given their shapes?",
              "The lesson on the GPT model counts its parameters before any is drawn."};
    },
    .choices = [](const Results&) -> std::vector<std::string> {
      return {"Build the LLM", "Pretrain it", "Fine-tune it"};
    },
};

}  // namespace

std::span<const Step> roadmap() {
  static const Step all[] = {asking(rm2), asking(rm1)};
  return all;
}

}  // namespace lab::questions
