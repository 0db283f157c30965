/// Units of the scene file and their kinds: "2 mm" is a length of 0.002 m.
#pragma once

#include "dew/base.h"

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

const char *dew_unit_kind_name(dew_UnitKind kind);     // "length"
const char *dew_unit_kind_example(dew_UnitKind kind);  // "2 mm"
const char *dew_unit_symbol(dew_UnitKind kind);        // the SI unit it is written back in: "m"

/// Reads "NUMBER [UNIT]". On failure the sentence says what was found and what would be right; it names
/// the kind wanted, and the nearest unit when one is misspelt.
dew_Status dew_quantity_parse(const char *text, dew_UnitKind kind, double *out);
