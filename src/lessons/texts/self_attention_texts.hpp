// What the lesson self-attention says: every sentence, made from its numbers.
#pragma once
#include "lessons/says.hpp"

namespace lab::self_attention_texts {

extern const LessonText lesson;
extern const StepText inputs, simple_weights, simple_context, project, scores, scale, softmax, context,
    module;

}  // namespace lab::self_attention_texts
