/// Errors of one scene, collected: each has its place and the dotted path of the value it is about.
#pragma once

#include "scene/tree.h"

#define DEW_MAX_DIAGNOSTICS 20
// compared: a scene of ten thousand named solids must fail fast too
#define DEW_MAX_HINT_NAMES 500

typedef struct dew_Diagnostics dew_Diagnostics;
struct dew_Diagnostics {
    dew_Log log;
    const char *file;  // names the file; NULL: the scene is not from a file
    bool has_lines;    // nodes have lines worth telling
    int64_t count;
    dew_Status reported[DEW_MAX_DIAGNOSTICS];  // the first found, in the order of their lines
    int lines[DEW_MAX_DIAGNOSTICS];
    char path[160];      // of the value being read
    size_t path_length;  // of all of it, also what is cut
};

/// A key or an index behind the path; returns the length to go back to.
size_t dew_path_key(dew_Diagnostics *diagnostics, const char *key);
size_t dew_path_index(dew_Diagnostics *diagnostics, int64_t index);
void dew_path_back(dew_Diagnostics *diagnostics, size_t length);

/// "PLACE: PATH: WORDS", kept until dew_diagnostics_end. `at` may be NULL: no line.
void dew_diagnose(dew_Diagnostics *diagnostics, const dew_Node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Same about a key of `map`: at its line when it is given, at the map's when not.
void dew_diagnose_key(dew_Diagnostics *diagnostics, const dew_Node *map, const char *key,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));
/// Same without the path.
void dew_diagnose_plainly(dew_Diagnostics *diagnostics, const dew_Node *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Call it behind the last error: logs the errors in the order of their lines, those of --set last,
/// then the number of errors that were not reported, and returns the first.
dew_Status dew_diagnostics_end(dew_Diagnostics *diagnostics);

/// "FILE:LINE: " of a node, or "--set KEY=VALUE: "; "" when there is neither.
void dew_node_place(const dew_Node *node, const char *file, bool has_lines, char *out, size_t size);

/// "(did you mean NEAREST?)" of names[0..count), or "(A, B or C)". "" once no more diagnostics are
/// reported (`diagnostics` may be NULL): a file with thousands of errors must fail as fast as one
/// with twenty.
typedef struct dew_Hint {
    char text[192];
} dew_Hint;
dew_Hint dew_hint(const dew_Diagnostics *diagnostics, const char *word, const char *const *names,
                  int64_t count);
int64_t dew_names_count(const char *const *names);  // of a NULL-terminated list
