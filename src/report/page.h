/// The parts an HTML page of Dew is made of.
#pragma once

#include "base/arena.h"
#include "base/text.h"

void dew_page_begin(dew_Text *out, const char *title);  // up to <main>, style inside
void dew_page_end(dew_Text *out);
void dew_page_escape(dew_Text *out, const char *words);  // & < > " made harmless
/// An image file inside the page.
dew_Status dew_page_image(dew_Text *out, const char *path, dew_Arena *scratch);
/// A drawing inside the page; in its place, when gnuplot is not installed (DEW_UNSUPPORTED), the
/// sentence that says so. drawn: what drawing it came to; other failures are handed on.
dew_Status dew_page_svg(dew_Text *out, dew_Status drawn, const dew_Array *svg);
/// The largest drops of the last frame in drops.csv; nothing when there are none.
dew_Status dew_page_drops(dew_Text *out, const char *path, dew_Arena *scratch);
