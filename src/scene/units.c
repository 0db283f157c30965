// Quantities: a number and a unit. A table of units; the kind of each is what a key asks for.
//
// A unit is a power of ten times a factor. The power is put into the number's text before it is
// converted, so that "0.3 mm" and "0.0003" are the same double; a factor (degrees, inches, minutes)
// costs one more rounding. Spellings are folded first: micro and degree signs, superscripts, raised
// or missing multiplication signs, capital L.
#include "scene/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "dew/text.h"
#include "scene/shown.h"

typedef struct Unit {
    const char *symbol;  // as dew_fold leaves it
    dew_UnitKind kind;
    int exponent10;
    double factor;
} Unit;

// The first of each kind is the SI unit that quantities are written back in.
static const Unit units[] = {
    {"m", DEW_UNIT_LENGTH, 0, 1},
    {"km", DEW_UNIT_LENGTH, 3, 1},
    {"dm", DEW_UNIT_LENGTH, -1, 1},
    {"cm", DEW_UNIT_LENGTH, -2, 1},
    {"mm", DEW_UNIT_LENGTH, -3, 1},
    {"um", DEW_UNIT_LENGTH, -6, 1},
    {"nm", DEW_UNIT_LENGTH, -9, 1},
    {"in", DEW_UNIT_LENGTH, 0, 0.0254},
    {"s", DEW_UNIT_TIME, 0, 1},
    {"ms", DEW_UNIT_TIME, -3, 1},
    {"us", DEW_UNIT_TIME, -6, 1},
    {"ns", DEW_UNIT_TIME, -9, 1},
    {"min", DEW_UNIT_TIME, 0, 60},
    {"h", DEW_UNIT_TIME, 0, 3600},
    {"rad", DEW_UNIT_ANGLE, 0, 1},
    {"mrad", DEW_UNIT_ANGLE, -3, 1},
    {"deg", DEW_UNIT_ANGLE, 0, DEW_PI / 180.0},
    {"Hz", DEW_UNIT_FREQUENCY, 0, 1},
    {"kHz", DEW_UNIT_FREQUENCY, 3, 1},
    {"MHz", DEW_UNIT_FREQUENCY, 6, 1},
    {"1/s", DEW_UNIT_FREQUENCY, 0, 1},
    {"/s", DEW_UNIT_FREQUENCY, 0, 1},
    {"s^-1", DEW_UNIT_FREQUENCY, 0, 1},
    {"fps", DEW_UNIT_FREQUENCY, 0, 1},
    {"1/min", DEW_UNIT_FREQUENCY, 0, 1.0 / 60.0},
    {"1/h", DEW_UNIT_FREQUENCY, 0, 1.0 / 3600.0},
    {"m/s", DEW_UNIT_SPEED, 0, 1},
    {"km/s", DEW_UNIT_SPEED, 3, 1},
    {"cm/s", DEW_UNIT_SPEED, -2, 1},
    {"mm/s", DEW_UNIT_SPEED, -3, 1},
    {"um/s", DEW_UNIT_SPEED, -6, 1},
    {"km/h", DEW_UNIT_SPEED, 0, 1.0 / 3.6},
    {"m/min", DEW_UNIT_SPEED, 0, 1.0 / 60.0},
    {"mm/min", DEW_UNIT_SPEED, -3, 1.0 / 60.0},
    {"rad/s", DEW_UNIT_ANGULAR_SPEED, 0, 1},
    {"mrad/s", DEW_UNIT_ANGULAR_SPEED, -3, 1},
    {"deg/s", DEW_UNIT_ANGULAR_SPEED, 0, DEW_PI / 180.0},
    {"rpm", DEW_UNIT_ANGULAR_SPEED, 0, 2 * DEW_PI / 60},
    {"m/s^2", DEW_UNIT_ACCELERATION, 0, 1},
    {"cm/s^2", DEW_UNIT_ACCELERATION, -2, 1},
    {"mm/s^2", DEW_UNIT_ACCELERATION, -3, 1},
    {"g", DEW_UNIT_ACCELERATION, 0, 9.80665},
    {"m^3", DEW_UNIT_VOLUME, 0, 1},
    {"dm^3", DEW_UNIT_VOLUME, -3, 1},
    {"cm^3", DEW_UNIT_VOLUME, -6, 1},
    {"mm^3", DEW_UNIT_VOLUME, -9, 1},
    {"um^3", DEW_UNIT_VOLUME, -18, 1},
    {"l", DEW_UNIT_VOLUME, -3, 1},
    {"dl", DEW_UNIT_VOLUME, -4, 1},
    {"cl", DEW_UNIT_VOLUME, -5, 1},
    {"ml", DEW_UNIT_VOLUME, -6, 1},
    {"ul", DEW_UNIT_VOLUME, -9, 1},
    {"nl", DEW_UNIT_VOLUME, -12, 1},
    {"pl", DEW_UNIT_VOLUME, -15, 1},
    {"m^3/s", DEW_UNIT_VOLUME_RATE, 0, 1},
    {"cm^3/s", DEW_UNIT_VOLUME_RATE, -6, 1},
    {"mm^3/s", DEW_UNIT_VOLUME_RATE, -9, 1},
    {"um^3/s", DEW_UNIT_VOLUME_RATE, -18, 1},
    {"l/s", DEW_UNIT_VOLUME_RATE, -3, 1},
    {"ml/s", DEW_UNIT_VOLUME_RATE, -6, 1},
    {"ul/s", DEW_UNIT_VOLUME_RATE, -9, 1},
    {"nl/s", DEW_UNIT_VOLUME_RATE, -12, 1},
    {"mm^3/min", DEW_UNIT_VOLUME_RATE, -9, 1.0 / 60.0},
    {"cm^3/min", DEW_UNIT_VOLUME_RATE, -6, 1.0 / 60.0},
    {"l/min", DEW_UNIT_VOLUME_RATE, -3, 1.0 / 60.0},
    {"ml/min", DEW_UNIT_VOLUME_RATE, -6, 1.0 / 60.0},
    {"ul/min", DEW_UNIT_VOLUME_RATE, -9, 1.0 / 60.0},
    {"nl/min", DEW_UNIT_VOLUME_RATE, -12, 1.0 / 60.0},
    {"m^3/h", DEW_UNIT_VOLUME_RATE, 0, 1.0 / 3600.0},
    {"l/h", DEW_UNIT_VOLUME_RATE, -3, 1.0 / 3600.0},
    {"ml/h", DEW_UNIT_VOLUME_RATE, -6, 1.0 / 3600.0},
    {"ul/h", DEW_UNIT_VOLUME_RATE, -9, 1.0 / 3600.0},
    {"kg/m^3", DEW_UNIT_DENSITY, 0, 1},
    {"g/cm^3", DEW_UNIT_DENSITY, 3, 1},
    {"g/ml", DEW_UNIT_DENSITY, 3, 1},
    {"kg/l", DEW_UNIT_DENSITY, 3, 1},
    {"g/l", DEW_UNIT_DENSITY, 0, 1},
    {"mg/ml", DEW_UNIT_DENSITY, 0, 1},
    {"mg/mm^3", DEW_UNIT_DENSITY, 3, 1},
    {"t/m^3", DEW_UNIT_DENSITY, 3, 1},
    {"Pa s", DEW_UNIT_VISCOSITY, 0, 1},
    {"mPa s", DEW_UNIT_VISCOSITY, -3, 1},
    {"uPa s", DEW_UNIT_VISCOSITY, -6, 1},
    {"P", DEW_UNIT_VISCOSITY, -1, 1},
    {"cP", DEW_UNIT_VISCOSITY, -3, 1},
    {"N s/m^2", DEW_UNIT_VISCOSITY, 0, 1},
    {"N/m", DEW_UNIT_TENSION, 0, 1},
    {"mN/m", DEW_UNIT_TENSION, -3, 1},
    {"uN/m", DEW_UNIT_TENSION, -6, 1},
    {"dyn/cm", DEW_UNIT_TENSION, -3, 1},
    {"dyne/cm", DEW_UNIT_TENSION, -3, 1},
    {"J/m^2", DEW_UNIT_TENSION, 0, 1},
    {"mJ/m^2", DEW_UNIT_TENSION, -3, 1},
};
enum { UNIT_COUNT = (int)(sizeof units / sizeof units[0]) };

static const struct {
    const char *article, *name, *example, *symbol;
} kinds[DEW_UNIT_KIND_COUNT] = {
    [DEW_UNIT_NONE] = {"a", "plain number", "0.5", ""},
    [DEW_UNIT_LENGTH] = {"a", "length", "2 mm", "m"},
    [DEW_UNIT_TIME] = {"a", "time", "0.5 s", "s"},
    [DEW_UNIT_ANGLE] = {"an", "angle", "90 deg", "rad"},
    [DEW_UNIT_FREQUENCY] = {"a", "frequency", "60 Hz", "Hz"},
    [DEW_UNIT_SPEED] = {"a", "speed", "0.3 m/s", "m/s"},
    [DEW_UNIT_ANGULAR_SPEED] = {"an", "angular speed", "90 deg/s", "rad/s"},
    [DEW_UNIT_ACCELERATION] = {"an", "acceleration", "9.81 m/s^2", "m/s^2"},
    [DEW_UNIT_VOLUME] = {"a", "volume", "10 mm^3", "m^3"},
    [DEW_UNIT_VOLUME_RATE] = {"a", "volume rate", "0.1 mm^3/s", "m^3/s"},
    [DEW_UNIT_DENSITY] = {"a", "density", "1 g/cm^3", "kg/m^3"},
    [DEW_UNIT_VISCOSITY] = {"a", "viscosity", "1 mPa s", "Pa s"},
    [DEW_UNIT_TENSION] = {"a", "surface tension", "73 mN/m", "N/m"},
};

const char *dew_unit_kind_name(dew_UnitKind kind)
{
    return kinds[kind].name;
}

const char *dew_unit_kind_article(dew_UnitKind kind)
{
    return kinds[kind].article;
}

const char *dew_unit_kind_example(dew_UnitKind kind)
{
    return kinds[kind].example;
}

const char *dew_unit_symbol(dew_UnitKind kind)
{
    return kinds[kind].symbol;
}

const char *dew_unit_listed(dew_UnitKind kind, int index)
{
    for (int i = 0; i < UNIT_COUNT; i++)
        if (units[i].kind == kind && index-- == 0)
            return units[i].symbol;
    return NULL;
}

// ---- spelling ----------------------------------------------------------------------------------

// Signs with more than one common spelling. A space stands for multiplication.
static const struct {
    const char *from, *to;
} signs[] = {
    {"\u00b5", "u"}, {"\u03bc", "u"}, {"\u00b0", "deg"}, {"\u00b2", "^2"}, {"\u00b3", "^3"},
    {"\u00b7", " "}, {"\u22c5", " "}, {"\u00a0", " "},   {"\u202f", " "},  {"**", "^"},
    {"*", " "},      {".", " "},      {"\t", " "},       {"L", "l"},
};

// Appends to a folded unit: no space at the beginning, doubled, or beside / and ^.
static bool fold_one(char folded[DEW_WORD_SIZE], size_t *length, char c)
{
    char last = *length > 0 ? folded[*length - 1] : ' ';
    if (c == ' ' && (last == ' ' || last == '/' || last == '^'))
        return true;
    if ((c == '/' || c == '^') && last == ' ' && *length > 0)
        (*length)--;
    if (*length + 2 >= DEW_WORD_SIZE)
        return false;
    bool is_letter = (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z');
    if (c >= '0' && c <= '9' && is_letter)
        folded[(*length)++] = '^';  // m3, m/s2
    folded[(*length)++] = c == '-' && last != '^' ? ' ' : c;
    return true;
}

/// The unit as the table spells it; false when it is longer than any.
static bool fold(const char *text, char folded[DEW_WORD_SIZE])
{
    size_t length = 0;
    while (*text) {
        const char *to = NULL;
        for (size_t i = 0; i < sizeof signs / sizeof signs[0] && !to; i++) {
            size_t n = strlen(signs[i].from);
            if (strncmp(text, signs[i].from, n) == 0) {
                to = signs[i].to;
                text += n;
            }
        }
        char one[2] = {to ? '\0' : *text++, '\0'};
        for (const char *c = to ? to : one; *c; c++)
            if (!fold_one(folded, &length, *c))
                return false;
    }
    while (length > 0 && folded[length - 1] == ' ')
        length--;
    folded[length] = '\0';
    return true;
}

static const Unit *find_unit(const char *folded)
{
    for (int i = 0; i < UNIT_COUNT; i++)
        if (*units[i].symbol == *folded && strcmp(units[i].symbol, folded) == 0)
            return &units[i];
    return NULL;
}

static const char *nearest_unit(const char *folded, dew_UnitKind kind)
{
    const char *names[UNIT_COUNT];
    int count = 0;
    for (int i = 0; i < UNIT_COUNT; i++)
        if (units[i].kind == kind)
            names[count++] = units[i].symbol;
    const char *nearest = dew_nearest_name(folded, names, count);
    size_t length = strlen(folded);
    for (int i = 0; i < count && !nearest; i++) {  // short ones: "mmm", "secs"
        size_t n = strlen(names[i]);
        if (n + 1 == length &&
            (strncmp(folded, names[i], n) == 0 || strcmp(folded + 1, names[i]) == 0))
            nearest = names[i];
    }
    return nearest;
}

// ---- number and unit ---------------------------------------------------------------------------

// number[0..length) times ten to the exponent, rounded once.
static double shift(const char *number, size_t length, int exponent10, double value)
{
    char text[96];
    size_t digits = 0;
    while (digits < length && number[digits] != 'e' && number[digits] != 'E')
        digits++;
    if (exponent10 == 0 || !isfinite(value) || digits > sizeof text - 32)
        return value * pow(10, exponent10);
    int64_t given = 0;
    if (digits < length)
        dew_integer_parse(number + digits + 1, length - digits - 1, &given);
    given = given > 100000 ? 100000 : given < -100000 ? -100000 : given;
    int n = snprintf(text, sizeof text, "%.*se%d", (int)digits, number, (int)given + exponent10);
    dew_number_parse(text, (size_t)n, &value);
    return value;
}

static dew_Status unknown_unit(const char *unit, const char *folded, dew_UnitKind kind)
{
    dew_Shown shown = dew_shown(unit);
    if (kind == DEW_UNIT_NONE)
        return dew_fail(DEW_BAD_INPUT, "%s is left behind a plain number (which has no unit)",
                        shown.text);
    const char *nearest = folded ? nearest_unit(folded, kind) : NULL;
    if (nearest)
        return dew_fail(DEW_BAD_INPUT, "unknown unit %s (did you mean %s?)", shown.text, nearest);
    return dew_fail(DEW_BAD_INPUT, "unknown unit %s (%s %s is wanted, such as %s)", shown.text,
                    kinds[kind].article, kinds[kind].name, kinds[kind].example);
}

// Reads the number at the start of text; the infinity and NaN of YAML begin with a point.
static size_t parse_number(const char *text, double *out)
{
    size_t sign = *text == '-' || *text == '+';
    if (text[sign] == '.' && (text[sign + 1] | 0x20) >= 'a') {
        size_t used = dew_number_parse(text + sign + 1, strlen(text + sign + 1), out);
        if (sign && *text == '-')
            *out = -*out;
        return used > 0 ? used + sign + 1 : 0;
    }
    return dew_number_parse(text, strlen(text), out);
}

static bool says_infinity(const char *text)
{
    text += *text == '-' || *text == '+';
    text += *text == '.';
    return (*text | 0x20) == 'i';
}

dew_Status dew_quantity_parse(const char *text, dew_UnitKind kind, double *out)
{
    while (*text == ' ')
        text++;
    double value = 0;
    size_t used = parse_number(text, &value);
    if (used == 0)
        return dew_fail(DEW_BAD_INPUT, "%s is not a number (%s %s is wanted, such as %s)",
                        dew_shown(text).text, kinds[kind].article, kinds[kind].name,
                        kinds[kind].example);
    if (isnan(value))
        return dew_fail(DEW_BAD_INPUT, "NaN is no quantity (%s %s is wanted, such as %s)",
                        kinds[kind].article, kinds[kind].name, kinds[kind].example);
    const char *unit = text + used;
    while (*unit == ' ')
        unit++;
    if (*unit) {
        char folded[DEW_WORD_SIZE];
        bool is_short = fold(unit, folded);
        const Unit *found = is_short ? find_unit(folded) : NULL;
        if (!found)
            return unknown_unit(unit, is_short ? folded : NULL, kind);
        if (found->kind != kind)
            return dew_fail(DEW_BAD_INPUT, "%s is %s %s, but %s %s is wanted (such as %s)",
                            dew_shown(text).text, kinds[found->kind].article,
                            kinds[found->kind].name, kinds[kind].article, kinds[kind].name,
                            kinds[kind].example);
        value = shift(text, used, found->exponent10, value) * found->factor;
    }
    if (isinf(value) && !says_infinity(text))
        return dew_fail(DEW_BAD_INPUT, "%s is too large for a number", dew_shown(text).text);
    *out = value;
    return dew_ok();
}

// Degrees that read back to the same radians; NaN: there are none with few digits.
static double exact_degrees(double rad)
{
    char text[32];
    double degrees = 0;
    snprintf(text, sizeof text, "%.12g", rad / DEW_DEG(1));
    dew_number_parse(text, strlen(text), &degrees);
    return degrees * (DEW_PI / 180.0) == rad ? degrees : (double)NAN;
}

void dew_quantity_format(double value, dew_UnitKind kind, char out[DEW_WORD_SIZE])
{
    char number[DEW_NUMBER_SIZE];
    const char *symbol = dew_unit_symbol(kind);
    double degrees = kind == DEW_UNIT_ANGLE ? exact_degrees(value) : (double)NAN;
    bool is_degrees = !isnan(degrees) && isfinite(degrees);
    dew_number_format(is_degrees ? degrees : value, number);
    snprintf(out, DEW_WORD_SIZE, "%s%s%s", number, *symbol ? " " : "",
             is_degrees && *symbol ? "deg" : symbol);
}
