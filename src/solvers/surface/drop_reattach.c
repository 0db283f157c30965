// Touching vertices back onto the solid, the contact line, passes of remeshing, pieces that go.
#include "solvers/surface/drop_reattach.h"

#define PASS_COUNT 3

void dew_drop_seat(const dew_RemeshDrop *drop, const dew_DropSolids *solids, double reach_m)
{
    if (!solids->nearest || !drop->labels)
        return;
    uint8_t *label = DEW_ITEMS(drop->labels, uint8_t);
    for (int64_t v = 0; v < drop->positions->count; v++) {
        dew_Vec3 *x = &DEW_ITEMS(drop->positions, dew_Vec3)[v];
        dew_Closest c;
        if (!(label[v] & DEW_LABEL_TOUCHING))
            continue;
        if (solids->nearest(solids->context, *x, reach_m, &c) && dew_vec_is_finite(c.point))
            *x = c.point;
        else
            label[v] &= (uint8_t) ~(DEW_LABEL_TOUCHING | DEW_LABEL_CONTACT_LINE);
    }
}

dew_Status dew_drop_find_contact_line(const dew_RemeshDrop *drop, dew_Array *marks)
{
    enum { WET = 1, DRY = 2 };
    if (!drop->labels)
        return dew_ok();
    int64_t count = drop->positions->count;
    marks->count = 0;
    DEW_TRY(dew_array_resize(marks, count));
    uint8_t *label = DEW_ITEMS(drop->labels, uint8_t), *mark = DEW_ITEMS(marks, uint8_t);
    for (int64_t t = 0; t < drop->triangles->count; t++) {
        const uint32_t *v = DEW_ITEMS(drop->triangles, dew_Triangle)[t].v;
        bool is_wet = label[v[0]] & label[v[1]] & label[v[2]] & DEW_LABEL_TOUCHING;
        for (int k = 0; k < 3; k++)
            mark[v[k]] |= is_wet ? WET : DRY;
    }
    for (int64_t v = 0; v < count; v++) {
        label[v] &= (uint8_t)~DEW_LABEL_CONTACT_LINE;
        if (mark[v] == (WET | DRY))  // a corner of a wetted triangle touches
            label[v] |= DEW_LABEL_CONTACT_LINE;
    }
    return dew_ok();
}

// ---- passes ------------------------------------------------------------------------------------

typedef struct Projection {
    const dew_DropSolids *solids;
    double reach_m;
} Projection;

static void project(void *context, uint8_t label, dew_Vec3 *position)
{
    (void)label;
    const Projection *p = (const Projection *)context;
    dew_Closest c;
    if (p->solids->nearest(p->solids->context, *position, p->reach_m, &c))
        *position = c.point;
}

dew_Status dew_drop_tidy(const dew_DropTidyDef *def, dew_Remesh *remesh, const dew_RemeshDrop *drop,
                         dew_Array *marks, dew_RemeshResult *last)
{
    Projection projection = {def->solids, def->reach_m};
    dew_RemeshDef pass = def->remesh;
    if (def->solids->nearest) {
        pass.project = project;
        pass.context = &projection;
    }
    dew_drop_seat(drop, def->solids, def->reach_m);
    for (int i = 0; i < PASS_COUNT; i++) {
        DEW_TRY(dew_drop_find_contact_line(drop, marks));
        DEW_TRY(dew_remesh_run(remesh, &pass, drop, last));
    }
    return dew_drop_find_contact_line(drop, marks);
}

dew_DropTrim dew_drop_trim(const dew_RemeshDrop *drop, const dew_RemeshPiece *pieces,
                           int64_t piece_count, double min_volume_m3)
{
    dew_DropTrim trim = {.piece_count = piece_count};
    for (int64_t i = 0; i < piece_count; i++) {
        double volume = pieces[i].volume_m3;
        if (i == 0 || volume >= min_volume_m3) {
            trim.volume_m3 += volume;
            continue;
        }
        if (trim.piece_count == piece_count)
            trim.piece_count = i;  // sorted by volume: all that follow go too
        trim.filled_m3 -= fmin(volume, 0);
        trim.lost_m3 += fmax(volume, 0);
        trim.lost_count += volume >= 0;
    }
    if (trim.piece_count < piece_count) {
        const dew_RemeshPiece *first = &pieces[trim.piece_count];
        dew_Array *const per_vertex[] = {drop->positions, drop->velocities, drop->labels,
                                         drop->scales};
        for (int i = 0; i < 4; i++) {
            if (per_vertex[i])
                per_vertex[i]->count = first->first_vertex;
        }
        drop->triangles->count = first->first_triangle;
    }
    return trim;
}
