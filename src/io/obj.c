// Reads OBJ [Wavefront1992] into a mesh.
//
// One pass over the lines. A face may name vertices that come later in the file, so the largest
// index is remembered with its place and judged at the end; everything else is checked where it
// stands. Normals belong to corners in OBJ and to vertices here: the normal of every corner is kept
// until the end, when it is known whether the corners of each vertex agree.
#include "io/obj.h"

#include "base/status.h"
#include "dew/text.h"
#include "io/mesh_build.h"

#define NO_NORMAL UINT32_MAX

// What is left out, each with its word.
typedef enum Ignored {
    IGNORED_TEXTURE,
    IGNORED_COLOR,
    IGNORED_GROUP,
    IGNORED_SMOOTHING,
    IGNORED_MATERIAL,
    IGNORED_LINES,
    IGNORED_CURVES,
    IGNORED_DISPLAY,
    IGNORED_COUNT,
    READ,
} Ignored;

static const struct {
    dew_LogLevel level;
    const char *words;
} ignored_words[IGNORED_COUNT] = {
    [IGNORED_TEXTURE] = {DEW_LOG_INFO, "texture coordinates"},
    [IGNORED_COLOR] = {DEW_LOG_INFO, "vertex colours or weights"},
    [IGNORED_GROUP] = {DEW_LOG_INFO, "groups and objects"},
    [IGNORED_SMOOTHING] = {DEW_LOG_INFO, "smoothing groups"},
    [IGNORED_MATERIAL] = {DEW_LOG_WARNING, "materials"},
    [IGNORED_LINES] = {DEW_LOG_WARNING, "points and lines"},
    [IGNORED_CURVES] = {DEW_LOG_WARNING, "curves and curved surfaces"},
    [IGNORED_DISPLAY] = {DEW_LOG_INFO, "display attributes"},
};

static const struct {
    const char *name;
    Ignored kind;
} keywords[] = {
    {"v", READ},
    {"vn", READ},
    {"f", READ},
    {"fo", READ},  // the old name of f
    {"vt", IGNORED_TEXTURE},
    {"g", IGNORED_GROUP},
    {"o", IGNORED_GROUP},
    {"s", IGNORED_SMOOTHING},
    {"mg", IGNORED_SMOOTHING},
    {"usemtl", IGNORED_MATERIAL},
    {"mtllib", IGNORED_MATERIAL},
    {"usemap", IGNORED_MATERIAL},
    {"maplib", IGNORED_MATERIAL},
    {"p", IGNORED_LINES},
    {"l", IGNORED_LINES},
    {"vp", IGNORED_CURVES},
    {"curv", IGNORED_CURVES},
    {"curv2", IGNORED_CURVES},
    {"surf", IGNORED_CURVES},
    {"parm", IGNORED_CURVES},
    {"trim", IGNORED_CURVES},
    {"hole", IGNORED_CURVES},
    {"scrv", IGNORED_CURVES},
    {"sp", IGNORED_CURVES},
    {"end", IGNORED_CURVES},
    {"con", IGNORED_CURVES},
    {"deg", IGNORED_CURVES},
    {"bmat", IGNORED_CURVES},
    {"step", IGNORED_CURVES},
    {"cstype", IGNORED_CURVES},
    {"bevel", IGNORED_DISPLAY},
    {"lod", IGNORED_DISPLAY},
    {"c_interp", IGNORED_DISPLAY},
    {"d_interp", IGNORED_DISPLAY},
    {"shadow_obj", IGNORED_DISPLAY},
    {"trace_obj", IGNORED_DISPLAY},
    {"ctech", IGNORED_DISPLAY},
    {"stech", IGNORED_DISPLAY},
};
#define KEYWORD_COUNT ((int)(sizeof keywords / sizeof keywords[0]))

// The largest index named so far and where: vertices may follow the faces that name them.
typedef struct Largest {
    int64_t index;
    int64_t face;
    const char *place;
} Largest;

typedef struct Reader {
    const dew_Source *source;
    dew_Mesh *mesh;
    dew_Slice rest;
    dew_Slice line;     // what is left of the current line
    bool is_continued;  // it ends with a backslash
    dew_Array normals;  // of dew_Vec3
    dew_Array corners;  // of dew_Triangle: the normals of the triangles; empty until one has some
    bool has_bare_corners;  // some corner names no normal
    Largest vertex, normal;
    int64_t face_count, polygon_count;
    bool is_reported[IGNORED_COUNT];
    dew_Status status;  // why a bool was false
} Reader;

#define FAIL(r, at_, ...)                                                                          \
    ((r)->status = dew_source_fail_line((r)->source, (at_), __VA_ARGS__), false)

static bool fail_memory(Reader *r)
{
    r->status = dew_no_memory((size_t)r->mesh->triangles.capacity * 2 * sizeof(dew_Triangle));
    return false;
}

// ---- lines and words ---------------------------------------------------------------------------

static bool next_line(Reader *r)
{
    if (!dew_slice_next_line(&r->rest, &r->line))
        return false;
    for (size_t i = 0; i < r->line.size; i++) {
        if (r->line.data[i] == '#') {
            r->line.size = i;
            r->is_continued = false;
            return true;
        }
    }
    r->is_continued = r->line.size > 0 && r->line.data[r->line.size - 1] == '\\';
    r->line.size -= r->is_continued;
    return true;
}

static bool next_word(Reader *r, dew_Slice *word)
{
    while (!dew_slice_next_word(&r->line, word)) {
        if (!r->is_continued || !next_line(r))
            return false;
    }
    return true;
}

static void skip_line(Reader *r)
{
    while (r->is_continued && next_line(r))
        continue;
    r->line.size = 0;
}

static void ignore(Reader *r, Ignored kind, const char *at)
{
    if (!r->is_reported[kind])
        dew_source_say_line(r->source, ignored_words[kind].level, at, "%s are ignored",
                            ignored_words[kind].words);
    r->is_reported[kind] = true;
}

// ---- vertices and normals ----------------------------------------------------------------------

// Three numbers; *count is how many there were, those behind the third included.
static bool read_vector(Reader *r, const char *what, double out[3], int64_t *count)
{
    dew_Slice word;
    *count = 0;
    while (next_word(r, &word)) {
        double x;
        if (!dew_slice_number(word, &x))
            return FAIL(r, word.data, "%s: '%.*s' is not a number", what, DEW_SLICE(word));
        if (*count < 3)
            out[*count] = x;
        ++*count;
    }
    if (*count < 3)
        return FAIL(r, word.data, "%s wants 3 numbers, here are %lld", what, (long long)*count);
    return true;
}

static bool read_vertex(Reader *r, const char *at)
{
    double p[3];
    int64_t count;
    if (!read_vector(r, "a vertex", p, &count))
        return false;
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]))
        return FAIL(r, at, "vertex %lld is not finite", (long long)r->mesh->positions.count + 1);
    if (count > 3)
        ignore(r, IGNORED_COLOR, at);
    if (r->mesh->positions.count >= UINT32_MAX - 1)
        return FAIL(r, at, "more vertices than 32 bits can name");
    return dew_build_position(r->mesh, dew_vec(p[0], p[1], p[2])) || fail_memory(r);
}

static bool read_normal(Reader *r)
{
    // Programs write nan for the normal of a face without area: no reason to refuse the mesh, but
    // no reason to keep it either. Zero means that there is none.
    double n[3];
    int64_t count;
    if (!read_vector(r, "a normal", n, &count))
        return false;
    if (!isfinite((float)n[0]) || !isfinite((float)n[1]) || !isfinite((float)n[2]))
        n[0] = n[1] = n[2] = 0;
    if (r->normals.count == r->normals.capacity && !dew_build_grow(&r->normals))
        return fail_memory(r);
    DEW_ITEMS(&r->normals, dew_Vec3)[r->normals.count++] = dew_vec(n[0], n[1], n[2]);
    return true;
}

// ---- faces -------------------------------------------------------------------------------------

// One part of v/t/n: an index from 1, or backwards from the last one read, made to count from 0.
static bool read_index(Reader *r, dew_Slice part, int64_t count, Largest *largest, uint32_t *out)
{
    int64_t index;
    if (!dew_slice_integer(part, &index))
        return FAIL(r, part.data, "face %lld: '%.*s' is not an index", (long long)r->face_count + 1,
                    DEW_SLICE(part));
    int64_t from_zero = index < 0 ? count + index : index - 1;
    if (index < 0 && count == 0)
        return FAIL(r, part.data, "face %lld: index %lld, but there is none before it",
                    (long long)r->face_count + 1, (long long)index);
    if (from_zero < 0 || from_zero >= UINT32_MAX)
        return FAIL(
            r, part.data, "face %lld: index %lld is out of range (1 to %lld, or -%lld to -1)",
            (long long)r->face_count + 1, (long long)index, (long long)count, (long long)count);
    if (from_zero > largest->index)
        *largest = (Largest){from_zero, r->face_count, part.data};
    *out = (uint32_t)from_zero;
    return true;
}

// Splits v/t/n; parts that are not there are empty.
static int split_corner(dew_Slice word, dew_Slice parts[3])
{
    int count = 0;
    const char *end = word.data + word.size;
    for (const char *p = word.data;; p++) {
        if (count == 0 || p[-1] == '/') {
            if (count == 3)
                return 4;
            parts[count++] = (dew_Slice){p, 0};
        }
        if (p == end)
            return count;
        parts[count - 1].size += *p != '/';
    }
}

static bool read_corner(Reader *r, dew_Slice word, uint32_t *vertex, uint32_t *normal)
{
    dew_Slice parts[3] = {0};
    if (split_corner(word, parts) > 3)
        return FAIL(r, word.data, "face %lld: '%.*s' has more than 3 indices",
                    (long long)r->face_count + 1, DEW_SLICE(word));
    *normal = NO_NORMAL;
    if (!read_index(r, parts[0], r->mesh->positions.count, &r->vertex, vertex))
        return false;
    if (parts[2].size > 0)
        return read_index(r, parts[2], r->normals.count, &r->normal, normal);
    return true;
}

// Keeps the normals of the triangles in step with the triangles.
static bool keep_normals(Reader *r, const uint32_t normals[3])
{
    dew_Triangle none = {{NO_NORMAL, NO_NORMAL, NO_NORMAL}};
    bool has_any = normals[0] != NO_NORMAL || normals[1] != NO_NORMAL || normals[2] != NO_NORMAL;
    if (r->corners.count == 0 && !has_any)
        return true;
    while (r->corners.count < r->mesh->triangles.count) {
        if (r->corners.count == r->corners.capacity && !dew_build_grow(&r->corners))
            return fail_memory(r);
        DEW_ITEMS(&r->corners, dew_Triangle)[r->corners.count++] = none;
    }
    for (int k = 0; k < 3; k++)
        DEW_ITEMS(&r->corners, dew_Triangle)[r->corners.count - 1].v[k] = normals[k];
    return true;
}

static bool read_face(Reader *r, const char *at)
{
    dew_Fan fan = {0};
    uint32_t normals[3] = {NO_NORMAL, NO_NORMAL, NO_NORMAL};
    dew_Slice word;
    while (next_word(r, &word)) {
        uint32_t vertex, normal;
        if (!read_corner(r, word, &vertex, &normal))
            return false;
        r->has_bare_corners |= normal == NO_NORMAL;
        normals[fan.corner_count < 2 ? fan.corner_count : 2] = normal;
        if (!dew_fan_add(&fan, r->mesh, vertex))
            return fail_memory(r);
        if (fan.corner_count >= 3) {
            if (!keep_normals(r, normals))
                return false;
            normals[1] = normal;
        }
    }
    if (fan.corner_count < 3)
        return FAIL(r, at, "face %lld has %lld corner%s (3 at least)", (long long)r->face_count + 1,
                    (long long)fan.corner_count, fan.corner_count == 1 ? "" : "s");
    r->polygon_count += fan.corner_count > 3;
    r->face_count++;
    return true;
}

// ---- the end -----------------------------------------------------------------------------------

static bool check_largest(Reader *r, const Largest *largest, const char *what, int64_t count)
{
    if (largest->index < count)
        return true;
    return FAIL(r, largest->place, "face %lld: %s index %lld is out of range (the file has %lld)",
                (long long)largest->face + 1, what, (long long)largest->index + 1,
                (long long)count);
}

// The normal of each vertex when its corners agree; false when they do not.
static bool gather_normals(const Reader *r, float *const values[3])
{
    const dew_Triangle *triangles = dew_mesh_triangles(r->mesh);
    const dew_Triangle *corners = DEW_ITEMS(&r->corners, const dew_Triangle);
    const dew_Vec3 *normals = DEW_ITEMS(&r->normals, const dew_Vec3);
    for (int64_t i = 0; i < r->corners.count; i++) {
        for (int k = 0; k < 3; k++) {
            uint32_t v = triangles[i].v[k];
            dew_Vec3 n = normals[corners[i].v[k]];
            float value[3] = {(float)n.x, (float)n.y, (float)n.z};
            bool is_new = values[0][v] == 0 && values[1][v] == 0 && values[2][v] == 0;
            for (int axis = 0; axis < 3; axis++) {
                if (!is_new && values[axis][v] != value[axis])
                    return false;
                values[axis][v] = value[axis];
            }
        }
    }
    return true;
}

static dew_Status add_normals(Reader *r)
{
    static const char *const names[] = {"nx", "ny", "nz"};
    if (r->corners.count == 0)
        return dew_ok();
    bool is_whole = !r->has_bare_corners;
    if (is_whole) {
        float *values[3];
        for (int axis = 0; axis < 3; axis++)
            DEW_TRY(dew_mesh_attribute(r->mesh, names[axis], &values[axis]));
        is_whole = gather_normals(r, values);
    }
    if (!is_whole) {
        for (int64_t i = 0; i < r->mesh->attributes.count; i++)
            dew_array_deinit(&DEW_ITEMS(&r->mesh->attributes, dew_MeshAttribute)[i].values);
        r->mesh->attributes.count = 0;
        dew_source_say(r->source, DEW_LOG_INFO,
                       "normals are ignored (they differ between the corners of a vertex, "
                       "or some have none)");
    }
    return dew_ok();
}

// ---- the whole ---------------------------------------------------------------------------------

static bool fail_keyword(Reader *r, dew_Slice word)
{
    const char *names[KEYWORD_COUNT];
    for (int i = 0; i < KEYWORD_COUNT; i++)
        names[i] = keywords[i].name;
    char copy[32];
    dew_slice_copy(word, copy, sizeof copy);
    const char *nearest = dew_nearest_name(copy, names, KEYWORD_COUNT);
    if (nearest)
        return FAIL(r, word.data, "unknown OBJ keyword '%.*s' (did you mean '%s'?)",
                    DEW_SLICE(word), nearest);
    return FAIL(r, word.data, "unknown OBJ keyword '%.*s'", DEW_SLICE(word));
}

static bool read_keyword(Reader *r, dew_Slice word)
{
    int i = 0;
    while (i < KEYWORD_COUNT && !dew_slice_is(word, keywords[i].name))
        i++;
    if (i == KEYWORD_COUNT)
        return fail_keyword(r, word);
    if (keywords[i].kind != READ) {
        ignore(r, keywords[i].kind, word.data);
        skip_line(r);
        return true;
    }
    if (word.data[0] == 'f')
        return read_face(r, word.data);
    return word.size == 1 ? read_vertex(r, word.data) : read_normal(r);
}

static dew_Status read_lines(Reader *r)
{
    dew_Slice word;
    while (next_line(r)) {
        if (next_word(r, &word) && !read_keyword(r, word))
            return r->status;
    }
    if (!check_largest(r, &r->vertex, "vertex", r->mesh->positions.count) ||
        !check_largest(r, &r->normal, "normal", r->normals.count))
        return r->status;
    dew_say_polygons(r->source, r->polygon_count);
    return add_normals(r);
}

dew_Status dew_obj_parse(const dew_Source *source, dew_Mesh *mesh)
{
    dew_mesh_reset(mesh);
    Reader r = {
        .source = source,
        .mesh = mesh,
        .rest = dew_slice(source->data, source->size),
        .vertex = {.index = -1},
        .normal = {.index = -1},
        .status = dew_ok(),
    };
    dew_array_init(&r.normals, &source->allocator, sizeof(dew_Vec3));
    dew_array_init(&r.corners, &source->allocator, sizeof(dew_Triangle));
    dew_Status status = read_lines(&r);
    dew_array_deinit(&r.normals);
    dew_array_deinit(&r.corners);
    if (status.code != DEW_OK)
        dew_mesh_reset(mesh);
    return status;
}
