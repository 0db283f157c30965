// Reads meshes by assimp's C interface.
//
// The file and those beside it that it names come through our own reader, as a whole in memory:
// assimp opens nothing by itself, so no pipe, device or file of another folder is read. From the
// scene that assimp makes, the faces of all nodes are taken, moved by the product of the matrices
// from the root on. None of assimp's steps of processing is used: its triangulation ends the
// process when faces are damaged. Animations, materials and elements of other kinds are left out.
//
// Limits: a file may use a mesh many times, so faces are counted before any triangle is made; nodes
// deeper than MAX_DEPTH, indices out of range and points that are not finite are refused. What
// happens inside of assimp is its own: its memory is not the allocator's, and a file that is made
// to do harm may do it. Convert files from unknown sources elsewhere.
#include "io/assimp_mesh.h"

#include "base/file.h"
#include "base/status.h"
#include "io/mesh_build.h"
#include "io/weld.h"

#include <math.h>
#include <string.h>
#include <strings.h>

// Formats whose readers in assimp bore random damage. Those of 3MF and Collada ended the process.
static const char *const endings[] = {".glb", ".gltf", ".fbx", ".3ds", ".off"};
enum { ENDING_COUNT = sizeof endings / sizeof *endings };

bool dew_assimp_is_ending(const char *ending)
{
    for (int i = 0; i < ENDING_COUNT; i++)
        if (strcasecmp(ending, endings[i]) == 0)
            return true;
    return false;
}

const char *dew_assimp_endings(void)
{
    return ".glb, .gltf, .fbx, .3ds, .off";
}

#ifdef DEW_HAVE_ASSIMP

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

#define LIBRARY          "libassimp.so.5"
#define MAX_DEPTH        256
#define MAX_FACES        20000000  // 1.5 GB while they are welded
#define MAX_BESIDE_BYTES ((size_t)4 << 30)

bool dew_assimp_is_in_build(void)
{
    return true;
}

// ---- files for assimp --------------------------------------------------------------------------

typedef struct File {
    struct aiFile ai;  // its UserData is this struct
    const dew_Source *source;
    uint8_t *data;  // of a file beside; NULL: the source's
    const uint8_t *bytes;
    size_t size, at;
} File;

static File *file_of(struct aiFile *ai)
{
    return (File *)(void *)ai->UserData;
}

static size_t read_file(struct aiFile *ai, char *out, size_t size, size_t count)
{
    File *file = file_of(ai);
    if (size == 0)
        return 0;
    size_t whole = (file->size - file->at) / size;
    whole = count < whole ? count : whole;
    memcpy(out, file->bytes + file->at, whole * size);
    file->at += whole * size;
    return whole;
}

static size_t write_nothing(struct aiFile *ai, const char *data, size_t size, size_t count)
{
    (void)ai, (void)data, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile *ai)
{
    return file_of(ai)->at;
}

static size_t size_of(struct aiFile *ai)
{
    return file_of(ai)->size;
}

static aiReturn seek(struct aiFile *ai, size_t offset, enum aiOrigin origin)
{
    File *file = file_of(ai);
    size_t from = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? file->at : file->size;
    size_t to = from + offset;  // backwards: modulo 2^64
    if (to > file->size)
        return aiReturn_FAILURE;
    file->at = to;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *ai)
{
    (void)ai;
}

/// The name of a file beside the source: in the same folder or one below it; false for others.
static bool is_beside(const dew_Source *source, const char *name)
{
    const char *slash = strrchr(source->name, '/');
    size_t folder = slash ? (size_t)(slash + 1 - source->name) : 0;
    if (strncmp(name, source->name, folder) != 0)
        return false;
    const char *rest = name + folder;
    return *rest && *rest != '/' && !strstr(rest, "..") && (slash || *name != '/');
}

static struct aiFile *open_file(struct aiFileIO *io, const char *name, const char *mode)
{
    const dew_Source *source = (const dew_Source *)(const void *)io->UserData;
    bool is_source = strcmp(name, source->name) == 0;
    if (mode[0] != 'r' || (!is_source && !is_beside(source, name)))
        return NULL;
    File *file = dew_alloc(&source->allocator, 1, sizeof *file);
    if (!file)
        return NULL;
    file->ai = (struct aiFile){.ReadProc = read_file,
                               .WriteProc = write_nothing,
                               .TellProc = tell,
                               .FileSizeProc = size_of,
                               .SeekProc = seek,
                               .FlushProc = flush_nothing,
                               .UserData = (aiUserData)(void *)file};
    file->source = source;
    file->bytes = source->data;
    file->size = source->size;
    if (!is_source &&
        dew_file_read(name, MAX_BESIDE_BYTES, &source->allocator, &file->data, &file->size).code !=
            DEW_OK) {
        dew_free(&source->allocator, file, sizeof *file);
        return NULL;
    }
    if (!is_source)
        file->bytes = file->data;
    return &file->ai;
}

static void close_file(struct aiFileIO *io, struct aiFile *ai)
{
    const dew_Source *source = (const dew_Source *)(const void *)io->UserData;
    File *file = file_of(ai);
    if (file->data)
        dew_free(&source->allocator, file->data, file->size + 1);
    dew_free(&source->allocator, file, sizeof *file);
}

// ---- triangles ---------------------------------------------------------------------------------

typedef struct Matrix {
    double m[3][4];
} Matrix;

typedef struct Walk {
    const dew_Source *source;
    const struct aiScene *scene;
    dew_Mesh *mesh;  // NULL: faces are counted
    dew_Weld weld;
    int64_t face_count, polygon_count;
} Walk;

static dew_Status refuse(const Walk *walk, const char *what)
{
    return dew_fail(DEW_BAD_INPUT, "%.300s: %s", walk->source->name, what);
}

/// a after b: b is applied first.
static Matrix product(const Matrix *a, const struct aiMatrix4x4 *b)
{
    const float *const rows[4] = {&b->a1, &b->b1, &b->c1, &b->d1};
    Matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? a->m[i][3] : 0;
            for (int k = 0; k < 3; k++)
                sum += a->m[i][k] * (double)rows[k][j];
            out.m[i][j] = sum;
        }
    return out;
}

static bool is_mirror(const Matrix *t)
{
    dew_Vec3 x = dew_vec(t->m[0][0], t->m[1][0], t->m[2][0]);
    dew_Vec3 y = dew_vec(t->m[0][1], t->m[1][1], t->m[2][1]);
    dew_Vec3 z = dew_vec(t->m[0][2], t->m[1][2], t->m[2][2]);
    return dew_inner(dew_cross(x, y), z) < 0;
}

static dew_Status add_corner(Walk *walk, const Matrix *t, const struct aiMesh *from, unsigned index,
                             uint32_t *out)
{
    if (index >= from->mNumVertices)
        return refuse(walk, "an index beyond the points of its mesh");
    const struct aiVector3D p = from->mVertices[index];
    double x[3];
    for (int i = 0; i < 3; i++)
        x[i] = t->m[i][0] * (double)p.x + t->m[i][1] * (double)p.y + t->m[i][2] * (double)p.z +
               t->m[i][3];
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        return refuse(walk, "a point that is not finite");
    if (!dew_weld_point(&walk->weld, dew_vec(x[0], x[1], x[2]), out))
        return dew_no_memory(sizeof x);
    return dew_ok();
}

static dew_Status add_mesh(Walk *walk, const Matrix *t, const struct aiMesh *from)
{
    bool is_turned = is_mirror(t);
    if (!walk->mesh) {  // faces of other kinds take time, too
        for (unsigned f = 0; f < from->mNumFaces; f++)
            walk->face_count += 1 + (int64_t)from->mFaces[f].mNumIndices / 3;
        return walk->face_count > MAX_FACES ? refuse(walk, "more than 20 million faces") : dew_ok();
    }
    for (unsigned f = 0; f < from->mNumFaces; f++) {
        const struct aiFace *face = &from->mFaces[f];
        unsigned corners = face->mNumIndices;
        dew_Fan fan = {0};
        walk->polygon_count += corners > 3;
        for (unsigned k = 0; corners >= 3 && k < corners; k++) {  // else points and lines
            uint32_t v;
            unsigned at = is_turned ? corners - 1 - k : k;
            DEW_TRY(add_corner(walk, t, from, face->mIndices[at], &v));
            if (!dew_fan_add(&fan, walk->mesh, v))
                return dew_no_memory(sizeof(dew_Triangle));
        }
    }
    return dew_ok();
}

static dew_Status add_node(Walk *walk, const Matrix *parent, const struct aiNode *node, int depth)
{
    if (depth > MAX_DEPTH)
        return refuse(walk, "nodes below nodes, more than 256 deep");
    Matrix here = product(parent, &node->mTransformation);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= walk->scene->mNumMeshes)
            return refuse(walk, "a node names a mesh that is not there");
        DEW_TRY(add_mesh(walk, &here, walk->scene->mMeshes[node->mMeshes[i]]));
    }
    for (unsigned i = 0; i < node->mNumChildren; i++)
        DEW_TRY(add_node(walk, &here, node->mChildren[i], depth + 1));
    return dew_ok();
}

static dew_Status take_scene(const dew_Source *source, const struct aiScene *scene, dew_Mesh *mesh)
{
    static const Matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    Walk walk = {.source = source, .scene = scene};
    if (!scene->mRootNode)
        return refuse(&walk, "a scene without nodes");
    DEW_TRY(add_node(&walk, &identity, scene->mRootNode, 0));
    walk.mesh = mesh;
    dew_weld_init(&walk.weld, &mesh->positions, &source->allocator);
    dew_Status status = add_node(&walk, &identity, scene->mRootNode, 0);
    dew_weld_deinit(&walk.weld);
    dew_say_polygons(source, walk.polygon_count);
    return status;
}

// ---- the whole ---------------------------------------------------------------------------------

typedef const struct aiScene *ImportFn(const char *, unsigned, struct aiFileIO *,
                                       const struct aiPropertyStore *);
typedef void ReleaseFn(const struct aiScene *);
typedef const char *ErrorFn(void);

static dew_Status import(const dew_Source *source, void *library, dew_Mesh *mesh)
{
    ImportFn *begin;
    ReleaseFn *release;
    ErrorFn *error;
    *(void **)(void *)&begin = dlsym(library, "aiImportFileExWithProperties");
    *(void **)(void *)&release = dlsym(library, "aiReleaseImport");
    *(void **)(void *)&error = dlsym(library, "aiGetErrorString");
    if (!begin || !release || !error)
        return dew_fail(DEW_UNSUPPORTED, "%.300s: " LIBRARY " lacks functions that it should have",
                        source->name);
    struct aiFileIO io = {
        .OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)(uintptr_t)source};
    const struct aiScene *scene = begin(source->name, 0, &io, NULL);
    if (!scene)
        return dew_fail(DEW_BAD_INPUT, "%.300s: %.160s", source->name, error());
    dew_Status status = take_scene(source, scene, mesh);
    release(scene);
    return status;
}

// assimp keeps the message of the last failure, and more, for the whole process.
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

// The library stays open: it has destructors of its own that run at exit.
dew_Status dew_assimp_parse(const dew_Source *source, dew_Mesh *mesh)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    dew_mesh_reset(mesh);
    if (!library)
        return dew_fail(DEW_UNSUPPORTED,
                        "%.300s: it takes the library assimp: " LIBRARY
                        " is missing (Debian: libassimp5)",
                        source->name);
    pthread_mutex_lock(&one_at_a_time);
    dew_Status status = import(source, library, mesh);
    pthread_mutex_unlock(&one_at_a_time);
    if (status.code != DEW_OK)
        dew_mesh_reset(mesh);
    return status;
}

#else

bool dew_assimp_is_in_build(void)
{
    return false;
}

dew_Status dew_assimp_parse(const dew_Source *source, dew_Mesh *mesh)
{
    dew_mesh_reset(mesh);
    return dew_fail(DEW_UNSUPPORTED,
                    "%.300s: this build cannot read %s: it was made without assimp (Debian: "
                    "libassimp-dev, then cmake -DDEW_ASSIMP=ON)",
                    source->name, dew_assimp_endings());
}

#endif
