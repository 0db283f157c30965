/// One value of the tree into one field of a definition, by its row of the schema.
#pragma once

#include "scene/diagnostics.h"
#include "scene/schema.h"

/// Kinds that need nothing but the node: numbers, words, choices, vectors. Reports about what is
/// wrong and then leaves the field. Texts are not copied: they live as long as the tree.
void dew_value_read(const dew_Key *key, const dew_Node *node, void *field,
                    dew_Diagnostics *diagnostics);

/// The index of the choice, or DEW_INVALID after a diagnostic.
int dew_value_choice(const dew_Key *key, const dew_Node *node, dew_Diagnostics *diagnostics);

/// The words of a scalar, or NULL after a diagnostic. `wanted` completes "expected ...".
const char *dew_value_words(const dew_Node *node, const char *wanted, dew_Diagnostics *diagnostics);

/// Letters, digits, - and _, and what is beyond ASCII; 64 bytes at most.
bool dew_value_is_name(const char *text);
