/// Units of the scene file and their kinds: "2 mm" is a length of 0.002 m.
#pragma once

#include "base/text.h"
#include "dew/units.h"

const char *dew_unit_kind_name(dew_UnitKind kind);     // "length"
const char *dew_unit_kind_article(dew_UnitKind kind);  // "a" or "an"
const char *dew_unit_kind_example(dew_UnitKind kind);  // "2 mm"
const char *dew_unit_symbol(dew_UnitKind kind);        // the SI unit it is written back in: "m"

/// Writes "NUMBER UNIT" with the fewest digits that read back bit-identical; angles in degrees
/// where that is so, else in radians.
void dew_quantity_format(double value, dew_UnitKind kind, char out[DEW_WORD_SIZE]);

/// Symbols of a kind's units, for the manual: the index-th, or NULL behind the last one.
const char *dew_unit_listed(dew_UnitKind kind, int index);
