// Changes of weights that the outputs of attention do not notice.
#pragma once
#include "core/parameter.hpp"

namespace lab {

// The first two output numbers turned by an angle in radians. Turn query and key alike and no score changes.
Parameter turned_outputs(Parameter p, double angle);

}  // namespace lab
