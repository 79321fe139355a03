#include "lessons/texts/roadmap_texts.hpp"

namespace lab::roadmap_texts {
namespace {

std::string build_text(const Results&) {
  return "Attention, its mask, its heads, a block, and a GPT built of blocks: every shape right, every "
         "number exact, and nothing learned yet. A complete instrument that nobody has tuned. This lab is "
         "about this stage.";
}
std::string pretrain_text(const Results&) {
  return "The next chapter adds the training loop: show the model text, measure how surprised it is by each "
         "next word, nudge every number to lessen that, repeat. Not one shape changes. When the surprise has "
         "fallen far, you have a foundation model.";
}
std::string finetune_text(const Results&) {
  return "Take the foundation model and train it a little more for one job: sorting messages, or following "
         "instructions. The architecture stays the one that you take apart here. It begins by loading "
         "weights, as in Transfer weights.";
}

constexpr Station kStations[] = {
    {"build",
     "Build the LLM",
     "here",
     {{{"Self-attention", "scores, shares, context", "self-attention"},
       {"Transfer weights", "one class into the other", "transfer"},
       {"Causal mask", "the future is hidden", "causal-mask"},
       {"Multi-head", "several views at once", "multi-head"},
       {"Transformer block", "attention and a small network", "transformer-block"},
       {"GPT model", "blocks from end to end", "gpt"}}}},
    {"pretrain",
     "Pretrain it",
     "next chapter",
     {{{"Text in batches", "inputs, and targets one word on", ""},
       {"Loss: how surprised?", "by each next word", ""},
       {"Gradients", "which way to nudge each number", ""},
       {"Training loop", "show, measure, nudge, repeat", ""},
       {"Save and load weights", "so that no hour is lost", ""},
       {"Foundation model", "the surprise has fallen far", ""}}}},
    {"finetune",
     "Fine-tune it",
     "later",
     {{{"Labelled examples", "texts, each with its answer", ""},
       {"Classifier", "spam or not: a new last layer", ""},
       {"Instructions", "a request and a good reply", ""},
       {"Assistant", "answers instead of going on", ""},
       {"Evaluation", "is it right, and how often?", ""},
       {nullptr, "", ""}}}},
};

}  // namespace

std::span<const Station> stations() { return kStations; }

const LessonText lesson = {"Roadmap",
                           "From one head to a model that answers: three stages, and this lab is the first."};
const StepText build = {"Stage 1: build the LLM", build_text};
const StepText pretrain = {"Stage 2: pretrain it", pretrain_text};
const StepText finetune = {"Stage 3: fine-tune it", finetune_text, "Fine-tune"};

}  // namespace lab::roadmap_texts
