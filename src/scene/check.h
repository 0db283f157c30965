/// Checks of values that must agree with one another, block by block, as the schema wants them.
#pragma once

struct dew_Node;
struct dew_Diagnostics;

void dew_check_material(void *def, const struct dew_Node *node,
                        struct dew_Diagnostics *diagnostics);
void dew_check_solid(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
void dew_check_drop(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
void dew_check_source(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
void dew_check_sink(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
void dew_check_event(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
void dew_check_camera(void *def, const struct dew_Node *node, struct dew_Diagnostics *diagnostics);
