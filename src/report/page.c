/// Style, escaping, images as base64, and the table of drops.
#include "report/page.h"

#include "base/file.h"
#include "base/status.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char style[] =
    ":root{--ink:#1c2430;--soft:#66707d;--line:#d9dee5;--tile:#f4f7fa;--paper:#fff;--water:#1f77b4}"
    "\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}\n"
    "main{max-width:1000px;margin:2em auto;padding:0 1.2em}\n"
    "h1{font-weight:600;margin:0 0 .3em}h2{font-weight:600;margin:2em 0 .6em;border-bottom:1px "
    "solid "
    "var(--line)}\n"
    ".status{border-radius:1em;padding:.1em "
    ".8em;color:#fff;background:var(--soft);margin-right:.6em}\n"
    ".status.done{background:#2a8f4a}.status.failed{background:#c0392b}.status.interrupted{"
    "background:"
    "#c77f0a}.status.running{background:var(--water)}\n"
    ".message{background:#fff3d6;border-left:4px solid #c77f0a;padding:.5em 1em;color:#5b4305}\n"
    ".tiles{display:flex;flex-wrap:wrap;gap:.7em;margin:1.2em 0}\n"
    ".tile{background:var(--tile);border-radius:.5em;padding:.5em 1em;min-width:6.5em}\n"
    ".tile b{display:block;font-size:1.25em;font-weight:600}.tile "
    "span{color:var(--soft);font-size:.85em}"
    "\n"
    ".images{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:.7em}\n"
    "img,svg{max-width:100%;height:auto;border-radius:.3em}\n"
    "table{border-collapse:collapse}td,th{padding:.2em 1.2em .2em "
    "0;text-align:left;border-bottom:1px "
    "solid var(--line)}\n"
    ".number{text-align:right;font-variant-numeric:tabular-nums}\n"
    "pre{background:var(--tile);padding:1em;overflow:auto;border-radius:.5em;font-size:13px}\n"
    "summary{cursor:pointer;color:var(--soft)}\n";

void dew_page_escape(dew_Text *out, const char *words)
{
    size_t left = strlen(words), used;
    for (const char *c = words; left > 0; c += used, left -= used) {
        char other[12];
        size_t same = dew_utf8_show_one(c, left, &used, other);
        if (same == 0 && *c != '\n' && *c != '\t') {
            dew_page_escape(out, other);  // seen as it stands
            continue;
        }
        switch (*c) {
        case '&':
            dew_text_add(out, "&amp;");
            break;
        case '<':
            dew_text_add(out, "&lt;");
            break;
        case '>':
            dew_text_add(out, "&gt;");
            break;
        case '"':
            dew_text_add(out, "&quot;");
            break;
        default:
            dew_text_add_bytes(out, c, used);
        }
    }
}

void dew_page_begin(dew_Text *out, const char *title)
{
    dew_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    dew_page_escape(out, title);
    dew_text_format(out, "</title>\n<style>\n%s</style></head>\n<body><main>\n", style);
}

void dew_page_end(dew_Text *out)
{
    dew_text_add(out, "</main></body></html>\n");
}

static void add_base64(dew_Text *out, const uint8_t *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t word = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                        (left > 2 ? (uint32_t)data[i + 2] : 0);
        char four[4] = {digits[word >> 18], digits[word >> 12 & 63],
                        left > 1 ? digits[word >> 6 & 63] : '=',
                        left > 2 ? digits[word & 63] : '='};
        dew_text_add_bytes(out, four, 4);
    }
}

dew_Status dew_page_image(dew_Text *out, const char *path, dew_Arena *scratch)
{
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, 256 << 20, &scratch->allocator, &data, &size));
    dew_text_add(out, "<img alt=\"frame\" src=\"data:image/png;base64,");
    add_base64(out, data, size);
    dew_text_add(out, "\">\n");
    dew_free(&scratch->allocator, data, size + 1);
    return dew_ok();
}

dew_Status dew_page_svg(dew_Text *out, dew_Status drawn, const dew_Array *svg)
{
    if (drawn.code == DEW_UNSUPPORTED) {
        dew_text_format(out, "<p class=\"message\">%s</p>\n", drawn.message);
        return dew_ok();
    }
    const char *begin = svg->count ? memmem(svg->data, (size_t)svg->count, "<svg", 4) : NULL;
    if (drawn.code == DEW_OK && begin)
        dew_text_add_bytes(out, begin, (size_t)(svg->count - (begin - DEW_ITEMS(svg, char))));
    return drawn;
}

typedef struct Row {
    const char *cells[14];
    double volume;
} Row;

/// Splits a line in place at its commas; false when it has not got 14 cells.
static bool split_row(char *line, Row *row)
{
    for (int i = 0; i < 14; i++) {
        char *comma = strchr(line, ',');
        row->cells[i] = line;
        if (i < 13 && !comma)
            return false;
        if (comma) {
            *comma = 0;
            line = comma + 1;
        }
    }
    row->volume = strtod(row->cells[4], NULL);
    return true;
}

static int larger_first(const void *a, const void *b)
{
    double x = ((const Row *)a)->volume, y = ((const Row *)b)->volume;
    return (x < y) - (x > y);
}

static void print_rows(dew_Text *out, const Row *rows, int64_t count, int64_t shown)
{
    dew_text_format(out,
                    "<h2>Drops in the last frame</h2>\n<p>%lld in all%s</p>\n<table><tr><th>id</th>"
                    "<th>volume (mm³)</th><th>centre (mm)</th><th>speed parts (m/s)</th>"
                    "<th>contact angle (°)</th></tr>\n",
                    (long long)count, shown < count ? ", the largest are listed" : "");
    for (int64_t i = 0; i < shown; i++) {
        const Row *r = &rows[i];
        dew_text_add(out, "<tr><td>");
        dew_page_escape(out, r->cells[2]);
        dew_text_format(out, "</td><td class=\"number\">%.4g</td>", 1e9 * r->volume);
        dew_text_format(out, "<td class=\"number\">%.3f, %.3f, %.3f</td>",
                        1e3 * strtod(r->cells[6], NULL), 1e3 * strtod(r->cells[7], NULL),
                        1e3 * strtod(r->cells[8], NULL));
        dew_text_format(out, "<td class=\"number\">%.3g, %.3g, %.3g</td>",
                        strtod(r->cells[9], NULL), strtod(r->cells[10], NULL),
                        strtod(r->cells[11], NULL));
        dew_text_add(out, "<td class=\"number\">");
        dew_page_escape(out, r->cells[13]);
        dew_text_add(out, "</td></tr>\n");
    }
    dew_text_add(out, "</table>\n");
}

/// The lines of the last frame stand at the end of the file: walk back to where the frame changes.
static char *last_frame_lines(char *text, size_t size)
{
    char *begin = text + size;
    long frame = -1;
    while (begin > text) {
        char *line = begin - 1;
        while (line > text && line[-1] != '\n')
            line--;
        long here = strtol(line, NULL, 10);
        if (line == text || (frame >= 0 && here != frame))
            break;
        frame = here;
        begin = line;
    }
    return begin;
}

dew_Status dew_page_drops(dew_Text *out, const char *path, dew_Arena *scratch)
{
    enum { MAX_SHOWN = 20 };
    if (!dew_file_exists(path))
        return dew_ok();
    uint8_t *data = NULL;
    size_t size = 0;
    DEW_TRY(dew_file_read(path, (size_t)2 << 30, &scratch->allocator, &data, &size));
    char *line = last_frame_lines((char *)data, size);
    int64_t capacity = 1, count = 0;
    for (char *c = line; *c; c++)
        capacity += *c == '\n';
    Row *rows = dew_arena_array(scratch, Row, capacity);
    for (char *end; rows && (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        if (split_row(line, &rows[count]))
            count++;
    }
    if (rows && count) {
        qsort(rows, (size_t)count, sizeof *rows, larger_first);
        print_rows(out, rows, count, count < MAX_SHOWN ? count : MAX_SHOWN);
    }
    dew_free(&scratch->allocator, data, size + 1);
    return rows ? dew_ok() : dew_no_memory((size_t)capacity * sizeof(Row));
}
