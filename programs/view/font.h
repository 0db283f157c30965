/// A small font as dots, for text over an image.
#pragma once

#include "dew/base.h"

enum {
    DEW_GLYPH_WIDTH = 5,
    DEW_GLYPH_HEIGHT = 7,
    DEW_LINE_GAP = DEW_GLYPH_HEIGHT / 2,  // between lines
    DEW_LETTER_STEP = DEW_GLYPH_WIDTH + 1,
    DEW_LINE_STEP = DEW_GLYPH_HEIGHT + DEW_LINE_GAP,
};

/// Is there a dot? Letters beyond ASCII have none.
bool dew_glyph_has(char letter, int column, int row);

/// Pixels of a panel, row by row from the top; bytes red, green, blue, alpha in memory's order.
typedef struct dew_Pixels {
    int width, height;
    uint32_t *rgba;
} dew_Pixels;

/// Writes a line with its upper left corner at (x, y), each dot `scale` pixels wide; what lies
/// outside is cut off.
void dew_font_put(const char *words, int x, int y, int scale, uint32_t color, dew_Pixels *out);
