// HDF5 by libhdf5 [HDFGroup2011]: a file in memory (its driver "core" without a file behind it).
//
// The library is opened when it is needed: it brings some thirty others along, which would cost
// each start of the program 5 ms. Its habit of printing errors is switched off during each call,
// and set back: a host may use it as well. Times of objects are not tracked, so that equal calls
// give equal bytes. The head of the file is that of the earliest layout, which has no checksum:
// libhdf5 1.10 copies later ones out of memory with the checksum of a file that is still open.
// Arrays that grow are stored in chunks of 64 KiB, their bytes sorted by significance and
// compressed by zlib. The order of creation is tracked in groups; readers of VTKHDF ask for it.
#include "io/hdf5_file.h"

#include "base/status.h"

#include <stdio.h>

#ifdef DEW_HAVE_HDF5

#include <dlfcn.h>
#include <hdf5.h>

#define MEMORY_STEP_BYTES ((size_t)4 << 20)  // by which the file grows
#define CHUNK_BYTES       65536              // before compression: zlib's window is 32768 bytes
#define DEFLATE_LEVEL     4  // bytes sorted by significance gain little from higher ones

_Static_assert(sizeof(hid_t) == sizeof(int64_t), "libhdf5 before 1.10 has smaller numbers");

// The flag of H5Fcreate, whose macro would need the library linked.
#define REPLACE_FILE 0x0002u

#define FUNCTIONS(X)                                                                               \
    X(H5open)                                                                                      \
    X(H5Acreate2)                                                                                  \
    X(H5Awrite)                                                                                    \
    X(H5Aclose)                                                                                    \
    X(H5Dcreate2)                                                                                  \
    X(H5Dset_extent)                                                                               \
    X(H5Dget_space)                                                                                \
    X(H5Dwrite)                                                                                    \
    X(H5Dclose)                                                                                    \
    X(H5Eget_auto2)                                                                                \
    X(H5Eset_auto2)                                                                                \
    X(H5Ewalk2)                                                                                    \
    X(H5Fcreate)                                                                                   \
    X(H5Fflush)                                                                                    \
    X(H5Fget_file_image)                                                                           \
    X(H5Fclose)                                                                                    \
    X(H5Gcreate2)                                                                                  \
    X(H5Lcreate_soft)                                                                              \
    X(H5Pcreate)                                                                                   \
    X(H5Pclose)                                                                                    \
    X(H5Pset_chunk)                                                                                \
    X(H5Pset_deflate)                                                                              \
    X(H5Pset_fapl_core)                                                                            \
    X(H5Pset_fclose_degree)                                                                        \
    X(H5Pset_libver_bounds)                                                                        \
    X(H5Pset_link_creation_order)                                                                  \
    X(H5Pset_obj_track_times)                                                                      \
    X(H5Pset_shuffle)                                                                              \
    X(H5Screate)                                                                                   \
    X(H5Screate_simple)                                                                            \
    X(H5Sclose)                                                                                    \
    X(H5Sget_simple_extent_ndims)                                                                  \
    X(H5Sselect_hyperslab)                                                                         \
    X(H5Tcopy)                                                                                     \
    X(H5Tset_size)                                                                                 \
    X(H5Tset_strpad)                                                                               \
    X(H5Tclose)                                                                                    \
    X(H5Zfilter_avail)

// Variables of the library, set by H5open.
#define NUMBERS(X)                                                                                 \
    X(H5T_C_S1)                                                                                    \
    X(H5T_NATIVE_INT)                                                                              \
    X(H5T_NATIVE_INT64)                                                                            \
    X(H5T_NATIVE_FLOAT)                                                                            \
    X(H5T_NATIVE_DOUBLE)                                                                           \
    X(H5T_STD_I32LE)                                                                               \
    X(H5T_STD_I64LE)                                                                               \
    X(H5T_IEEE_F32LE)                                                                              \
    X(H5T_IEEE_F64LE)                                                                              \
    X(H5P_CLS_FILE_ACCESS_ID)                                                                      \
    X(H5P_CLS_FILE_CREATE_ID)                                                                      \
    X(H5P_CLS_GROUP_CREATE_ID)                                                                     \
    X(H5P_CLS_DATASET_CREATE_ID)

// What is looked up in the library.
typedef struct Library {
#define FUNCTION_FIELD(name) __typeof__(name) *name;
    FUNCTIONS(FUNCTION_FIELD)
#define NUMBER_FIELD(name) hid_t name##_g;
    NUMBERS(NUMBER_FIELD)
} Library;

static bool look_up(void *scope, Library *l)
{
    bool is_complete = true;
#define LOOK_UP_FUNCTION(name)                                                                     \
    is_complete = (*(void **)(void *)&l->name = dlsym(scope, #name)) != NULL && is_complete;
    FUNCTIONS(LOOK_UP_FUNCTION)
    is_complete = is_complete && l->H5open() >= 0;
#define LOOK_UP_NUMBER(name)                                                                       \
    if (is_complete) {                                                                             \
        const hid_t *number = (const hid_t *)dlsym(scope, #name "_g");                             \
        is_complete = number != NULL;                                                              \
        l->name##_g = number ? *number : 0;                                                        \
    }
    NUMBERS(LOOK_UP_NUMBER)
    return is_complete;
}

// It stays open: it has things to do when the process ends.
static dew_Status open_library(dew_Hdf *hdf)
{
    Library *l = (Library *)dew_alloc(&hdf->allocator, 1, sizeof *l);
    if (!l)
        return hdf->status = dew_no_memory(sizeof *l);
    void *handle = dlopen(DEW_HDF5_LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    // Where the host is linked with HDF5, its own program may hold the library's variables.
    void *scope = dlsym(RTLD_DEFAULT, "H5open") ? RTLD_DEFAULT : handle;
    if (handle && look_up(scope, l)) {
        hdf->library = l;
    } else {
        dew_free(&hdf->allocator, l, sizeof *l);
        hdf->status = dew_fail(DEW_UNSUPPORTED, "VTKHDF needs HDF5, and this machine lacks %s",
                               DEW_HDF5_LIBRARY);
    }
    if (handle)
        dlclose(handle);
    return hdf->status;
}

// How the library reports errors, for as long as it shall not.
typedef struct Reports {
    H5E_auto2_t function;
    void *context;
} Reports;

static Reports be_quiet(const Library *l)
{
    Reports reports = {NULL, NULL};
    l->H5Eget_auto2(H5E_DEFAULT, &reports.function, &reports.context);
    l->H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return reports;
}

static void report_again(const Library *l, Reports reports)
{
    l->H5Eset_auto2(H5E_DEFAULT, reports.function, reports.context);
}

// The innermost error is visited first.
static herr_t find_reason(unsigned n, const H5E_error2_t *error, void *context)
{
    if (n == 0)
        snprintf((char *)context, 200, "%s", error->desc ? error->desc : "no reason given");
    return 0;
}

// Keeps the failure of a call that returned `result`, which is negative for failures.
static bool check(dew_Hdf *hdf, int64_t result)
{
    const Library *l = (const Library *)hdf->library;
    char reason[200] = "no reason given";
    if (result >= 0)
        return true;
    if (hdf->status.code == DEW_OK) {
        l->H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_reason, reason);
        hdf->status = dew_fail(DEW_NO_MEMORY, "libhdf5 cannot build the file: %s", reason);
    }
    return false;
}

// Two files of one process must have different names, though neither is on a disk.
static hid_t create_file(const dew_Hdf *hdf)
{
    const Library *l = (const Library *)hdf->library;
    char name[40];
    snprintf(name, sizeof name, "dew %p", (const void *)hdf);
    hid_t access = l->H5Pcreate(l->H5P_CLS_FILE_ACCESS_ID_g),
          creation = l->H5Pcreate(l->H5P_CLS_FILE_CREATE_ID_g), file = -1;
    if (l->H5Pset_fapl_core(access, MEMORY_STEP_BYTES, false) >= 0 &&
        l->H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0 &&
        l->H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        l->H5Pset_obj_track_times(creation, false) >= 0)
        file = l->H5Fcreate(name, REPLACE_FILE, creation, access);
    l->H5Pclose(access);
    l->H5Pclose(creation);
    return file;
}

dew_Status dew_hdf_begin(dew_Hdf *hdf, const dew_Allocator *allocator)
{
    *hdf = (dew_Hdf){.file = -1, .status = dew_ok()};
    if (allocator)
        hdf->allocator = *allocator;
    DEW_TRY(open_library(hdf));
    const Library *l = (const Library *)hdf->library;
    Reports reports = be_quiet(l);
    hdf->file = create_file(hdf);
    check(hdf, hdf->file);
    report_again(l, reports);
    return hdf->status;
}

static bool is_ok(const dew_Hdf *hdf)
{
    return hdf->status.code == DEW_OK;
}

int64_t dew_hdf_group(dew_Hdf *hdf, int64_t parent, const char *name)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return 0;
    Reports reports = be_quiet(l);
    hid_t creation = l->H5Pcreate(l->H5P_CLS_GROUP_CREATE_ID_g), group = -1;
    if (l->H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >=
            0 &&
        l->H5Pset_obj_track_times(creation, false) >= 0)
        group =
            l->H5Gcreate2(parent ? parent : hdf->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    check(hdf, group);
    l->H5Pclose(creation);
    report_again(l, reports);
    return group;
}

void dew_hdf_link(dew_Hdf *hdf, int64_t parent, const char *name, const char *target)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet(l);
    check(hdf, l->H5Lcreate_soft(target, parent, name, H5P_DEFAULT, H5P_DEFAULT));
    report_again(l, reports);
}

static void put_attribute(dew_Hdf *hdf, hid_t group, const char *name, hid_t file_type,
                          hid_t memory_type, const void *data, int count)
{
    const Library *l = (const Library *)hdf->library;
    hsize_t size = (hsize_t)count;
    hid_t space = count > 0 ? l->H5Screate_simple(1, &size, NULL) : l->H5Screate(H5S_SCALAR);
    hid_t attribute = l->H5Acreate2(group, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (check(hdf, attribute)) {
        check(hdf, l->H5Awrite(attribute, memory_type, data));
        l->H5Aclose(attribute);
    }
    l->H5Sclose(space);
}

void dew_hdf_put_text(dew_Hdf *hdf, int64_t group, const char *name, const char *value)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet(l);
    hid_t type = l->H5Tcopy(l->H5T_C_S1_g);      // ASCII
    size_t size = value[0] ? strlen(value) : 1;  // VTK takes a final zero for a character
    if (check(hdf, l->H5Tset_size(type, size)) &&
        check(hdf, l->H5Tset_strpad(type, H5T_STR_NULLPAD)))
        put_attribute(hdf, group, name, type, type, value, 0);
    l->H5Tclose(type);
    report_again(l, reports);
}

void dew_hdf_put_integers(dew_Hdf *hdf, int64_t group, const char *name, const int *values,
                          int count)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet(l);
    put_attribute(hdf, group, name, l->H5T_STD_I32LE_g, l->H5T_NATIVE_INT_g, values, count);
    report_again(l, reports);
}

void dew_hdf_put_double(dew_Hdf *hdf, int64_t group, const char *name, double value)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet(l);
    put_attribute(hdf, group, name, l->H5T_IEEE_F64LE_g, l->H5T_NATIVE_DOUBLE_g, &value, 0);
    report_again(l, reports);
}

static hid_t file_type(const Library *l, dew_ScalarType type)
{
    return type == DEW_FLOAT32   ? l->H5T_IEEE_F32LE_g
           : type == DEW_FLOAT64 ? l->H5T_IEEE_F64LE_g
                                 : l->H5T_STD_I64LE_g;
}

static hid_t memory_type(const Library *l, dew_ScalarType type)
{
    return type == DEW_FLOAT32   ? l->H5T_NATIVE_FLOAT_g
           : type == DEW_FLOAT64 ? l->H5T_NATIVE_DOUBLE_g
                                 : l->H5T_NATIVE_INT64_g;
}

void dew_hdf_put_array(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                       const void *data, int64_t count, int width)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet(l);
    hsize_t size[2] = {(hsize_t)count, (hsize_t)width};
    hid_t space = l->H5Screate_simple(width > 0 ? 2 : 1, size, NULL);
    hid_t creation = l->H5Pcreate(l->H5P_CLS_DATASET_CREATE_ID_g), set = -1;
    if (l->H5Pset_obj_track_times(creation, false) >= 0)
        set = l->H5Dcreate2(group, name, file_type(l, type), space, H5P_DEFAULT, creation,
                            H5P_DEFAULT);
    if (check(hdf, set)) {
        if (count > 0)
            check(hdf, l->H5Dwrite(set, memory_type(l, type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
        l->H5Dclose(set);
    }
    l->H5Pclose(creation);
    l->H5Sclose(space);
    report_again(l, reports);
}

dew_HdfColumn dew_hdf_column(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                             int width)
{
    const Library *l = (const Library *)hdf->library;
    dew_HdfColumn column = {.type = type, .width = width > 0 ? width : 1};
    if (!is_ok(hdf))
        return column;
    DEW_ASSERT(type == DEW_FLOAT32 || type == DEW_FLOAT64 || type == DEW_INT64);
    Reports reports = be_quiet(l);
    int rank = width > 0 ? 2 : 1;
    hsize_t row_bytes = dew_scalar_size(type) * (hsize_t)column.width;
    hsize_t size[2] = {0, (hsize_t)column.width}, most[2] = {H5S_UNLIMITED, size[1]};
    hsize_t chunk[2] = {row_bytes < CHUNK_BYTES ? CHUNK_BYTES / row_bytes : 1, size[1]};
    hid_t space = l->H5Screate_simple(rank, size, most);
    hid_t creation = l->H5Pcreate(l->H5P_CLS_DATASET_CREATE_ID_g);
    column.id = -1;
    if (l->H5Pset_obj_track_times(creation, false) >= 0 &&
        l->H5Pset_chunk(creation, rank, chunk) >= 0 &&
        (l->H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0 ||
         (l->H5Pset_shuffle(creation) >= 0 && l->H5Pset_deflate(creation, DEFLATE_LEVEL) >= 0)))
        column.id = l->H5Dcreate2(group, name, file_type(l, type), space, H5P_DEFAULT, creation,
                                  H5P_DEFAULT);
    check(hdf, column.id);
    l->H5Pclose(creation);
    l->H5Sclose(space);
    report_again(l, reports);
    return column;
}

static void append(dew_Hdf *hdf, dew_HdfColumn *column, const void *data, int64_t count)
{
    const Library *l = (const Library *)hdf->library;
    hsize_t begin[2] = {(hsize_t)column->count, 0};
    hsize_t size[2] = {(hsize_t)count, (hsize_t)column->width};
    hsize_t total[2] = {begin[0] + size[0], size[1]};
    if (!check(hdf, l->H5Dset_extent(column->id, total)))
        return;
    hid_t file_space = l->H5Dget_space(column->id);
    int rank = l->H5Sget_simple_extent_ndims(file_space);
    hid_t memory_space = l->H5Screate_simple(rank, size, NULL);
    if (check(hdf, l->H5Sselect_hyperslab(file_space, H5S_SELECT_SET, begin, NULL, size, NULL)))
        check(hdf, l->H5Dwrite(column->id, memory_type(l, column->type), memory_space, file_space,
                               H5P_DEFAULT, data));
    l->H5Sclose(memory_space);
    l->H5Sclose(file_space);
}

void dew_hdf_append(dew_Hdf *hdf, dew_HdfColumn *column, const void *data, int64_t count)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf) || count == 0)
        return;
    Reports reports = be_quiet(l);
    append(hdf, column, data, count);
    column->count += count;
    report_again(l, reports);
}

static dew_Status write_image(dew_Hdf *hdf, dew_Sink *sink, const dew_Allocator *allocator)
{
    const Library *l = (const Library *)hdf->library;
    ssize_t size = l->H5Fflush(hdf->file, H5F_SCOPE_LOCAL) >= 0
                       ? l->H5Fget_file_image(hdf->file, NULL, 0)
                       : -1;
    if (!check(hdf, size))
        return hdf->status;
    void *image = dew_resize(allocator, NULL, 0, (size_t)size);
    if (!image)
        return dew_no_memory((size_t)size);
    if (check(hdf, l->H5Fget_file_image(hdf->file, image, (size_t)size)))
        dew_sink_write(sink, image, (size_t)size);
    dew_free(allocator, image, (size_t)size);
    return hdf->status;
}

dew_Status dew_hdf_end(dew_Hdf *hdf, dew_Sink *sink, const dew_Allocator *allocator)
{
    const Library *l = (const Library *)hdf->library;
    if (!is_ok(hdf))
        return hdf->status;
    Reports reports = be_quiet(l);
    dew_Status status = write_image(hdf, sink, allocator);
    report_again(l, reports);
    return status;
}

void dew_hdf_close(dew_Hdf *hdf)
{
    const Library *l = (const Library *)hdf->library;
    if (!l)
        return;
    Reports reports = be_quiet(l);
    if (hdf->file >= 0)
        l->H5Fclose(hdf->file);  // and all that is open in it
    hdf->file = -1;
    report_again(l, reports);
    dew_free(&hdf->allocator, hdf->library, sizeof(Library));
    hdf->library = NULL;
}

#else

dew_Status dew_hdf_begin(dew_Hdf *hdf, const dew_Allocator *allocator)
{
    (void)allocator;
    *hdf = (dew_Hdf){.file = -1};
    hdf->status = dew_fail(DEW_UNSUPPORTED, "this build of Dew has no HDF5, which VTKHDF needs; "
                                            "install libhdf5 with its headers and build again");
    return hdf->status;
}

int64_t dew_hdf_group(dew_Hdf *hdf, int64_t parent, const char *name)
{
    (void)hdf, (void)parent, (void)name;
    return 0;
}

void dew_hdf_link(dew_Hdf *hdf, int64_t parent, const char *name, const char *target)
{
    (void)hdf, (void)parent, (void)name, (void)target;
}

void dew_hdf_put_text(dew_Hdf *hdf, int64_t group, const char *name, const char *value)
{
    (void)hdf, (void)group, (void)name, (void)value;
}

void dew_hdf_put_integers(dew_Hdf *hdf, int64_t group, const char *name, const int *values,
                          int count)
{
    (void)hdf, (void)group, (void)name, (void)values, (void)count;
}

void dew_hdf_put_double(dew_Hdf *hdf, int64_t group, const char *name, double value)
{
    (void)hdf, (void)group, (void)name, (void)value;
}

void dew_hdf_put_array(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                       const void *data, int64_t count, int width)
{
    (void)hdf, (void)group, (void)name, (void)type, (void)data, (void)count, (void)width;
}

dew_HdfColumn dew_hdf_column(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                             int width)
{
    (void)hdf, (void)group, (void)name;
    return (dew_HdfColumn){.type = type, .width = width};
}

void dew_hdf_append(dew_Hdf *hdf, dew_HdfColumn *column, const void *data, int64_t count)
{
    (void)hdf, (void)column, (void)data, (void)count;
}

dew_Status dew_hdf_end(dew_Hdf *hdf, dew_Sink *sink, const dew_Allocator *allocator)
{
    (void)sink, (void)allocator;
    return hdf->status;
}

void dew_hdf_close(dew_Hdf *hdf)
{
    (void)hdf;
}

#endif
