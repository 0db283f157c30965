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
const char *dew_unit_kind_article(dew_UnitKind kind);  // "a" or "an"
const char *dew_unit_kind_example(dew_UnitKind kind);  // "2 mm"
const char *dew_unit_symbol(dew_UnitKind kind);        // the SI unit it is written back in: "m"

/// Symbols of a kind's units, for the manual: the index-th, or NULL behind the last one.
const char *dew_unit_listed(dew_UnitKind kind, int index);

/// Reads "NUMBER [UNIT]", correctly rounded for units that are a power of ten: "2 mm" has the bits of
/// 0.002. Infinity is read ("inf", "inf s"), NaN never. On failure the sentence says what was found and
/// what would be right; it names the kind wanted, and the nearest unit when one is misspelt.
dew_Status dew_quantity_parse(const char *text, dew_UnitKind kind, double *out);
