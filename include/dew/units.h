/// Units: text such as "2 mm" or "73 mN/m" to SI values, as scene files and command lines have
/// them.
#pragma once

#include "dew/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of quantities.
typedef enum dew_UnitKind {
    DEW_UNIT_NONE,  // a plain number
    DEW_UNIT_LENGTH,
    DEW_UNIT_TIME,
    DEW_UNIT_ANGLE,
    DEW_UNIT_FREQUENCY,
    DEW_UNIT_SPEED,
    DEW_UNIT_ANGULAR_SPEED,
    DEW_UNIT_ACCELERATION,
    DEW_UNIT_VOLUME,
    DEW_UNIT_VOLUME_RATE,
    DEW_UNIT_DENSITY,
    DEW_UNIT_VISCOSITY,
    DEW_UNIT_TENSION,
    DEW_UNIT_KIND_COUNT
} dew_UnitKind;

/// Reads "NUMBER [UNIT]" into the SI unit of the kind; correctly rounded for units that are a power
/// of ten, so that "2 mm" is bit-identical to 0.002. Reads infinity ("inf", "inf s"), never NaN.
/// The message of a failure says what was found and what was expected, with the nearest unit when
/// one is misspelt.
dew_Status dew_quantity_parse(const char *text, dew_UnitKind kind, double *out);

#ifdef __cplusplus
}
#endif
