/// Defaults as the schema wants them: each fills the struct of a block.
#pragma once

void dew_init_scene(void *scene, int shape);
void dew_init_rotate(void *def, int shape);
void dew_init_keyframe(void *def, int shape);
void dew_init_liquid(void *def, int shape);
void dew_init_domain(void *def, int shape);
void dew_init_material(void *def, int shape);
void dew_init_solid(void *def, int shape);
void dew_init_drop(void *def, int shape);
void dew_init_source(void *def, int shape);
void dew_init_sink(void *def, int shape);
void dew_init_event(void *def, int shape);
void dew_init_output(void *def, int shape);
void dew_init_camera(void *def, int shape);
void dew_init_light(void *def, int shape);
void dew_init_look(void *def, int shape);
