// HDF5 by libhdf5 [HDFGroup2011]: a file in memory (its driver "core" without a file behind it).
//
// Times of objects are not tracked, so that equal calls give equal bytes. The library's habit of
// printing its errors is switched off during each call, and set back: a host may use it as well.
// The head of the file is that of the earliest layout, which has no checksum: libhdf5 1.10 copies
// later ones out of memory with the checksum of a file that is still open. Arrays that grow are
// stored in chunks of 64 KiB, their bytes sorted by significance and compressed by zlib. The order
// of creation is tracked in groups; readers of VTKHDF ask for it.
#include "io/hdf5_file.h"

#include "base/status.h"

#include <stdio.h>

#ifdef DEW_HAVE_HDF5

#include <hdf5.h>

#define MEMORY_STEP_BYTES ((size_t)4 << 20)  // by which the file grows
#define CHUNK_BYTES       65536              // before compression: zlib's window is 32768 bytes
#define DEFLATE_LEVEL     4  // bytes sorted by significance gain little from higher ones

_Static_assert(sizeof(hid_t) == sizeof(int64_t), "libhdf5 before 1.10 has smaller numbers");

// How the library reports errors, for as long as it shall not.
typedef struct Reports {
    H5E_auto2_t function;
    void *context;
} Reports;

static Reports be_quiet(void)
{
    Reports reports = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &reports.function, &reports.context);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return reports;
}

static void report_again(Reports reports)
{
    H5Eset_auto2(H5E_DEFAULT, reports.function, reports.context);
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
    char reason[200] = "no reason given";
    if (result >= 0)
        return true;
    if (hdf->status.code == DEW_OK) {
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, find_reason, reason);
        hdf->status = dew_fail(DEW_NO_MEMORY, "libhdf5 cannot build the file: %s", reason);
    }
    return false;
}

bool dew_hdf_is_there(void)
{
    return true;
}

// Two files of one process must have different names, though neither is on a disk.
static hid_t create_file(const dew_Hdf *hdf)
{
    char name[40];
    snprintf(name, sizeof name, "dew %p", (const void *)hdf);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE), file = -1;
    if (H5Pset_fapl_core(access, MEMORY_STEP_BYTES, false) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
    H5Pclose(access);
    H5Pclose(creation);
    return file;
}

dew_Status dew_hdf_begin(dew_Hdf *hdf)
{
    *hdf = (dew_Hdf){.file = -1, .status = dew_ok()};
    Reports reports = be_quiet();
    hdf->file = create_file(hdf);
    check(hdf, hdf->file);
    report_again(reports);
    return hdf->status;
}

static bool is_ok(const dew_Hdf *hdf)
{
    return hdf->status.code == DEW_OK;
}

int64_t dew_hdf_group(dew_Hdf *hdf, int64_t parent, const char *name)
{
    if (!is_ok(hdf))
        return 0;
    Reports reports = be_quiet();
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE), group = -1;
    if (H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0)
        group = H5Gcreate2(parent ? parent : hdf->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    check(hdf, group);
    H5Pclose(creation);
    report_again(reports);
    return group;
}

void dew_hdf_link(dew_Hdf *hdf, int64_t parent, const char *name, const char *target)
{
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet();
    check(hdf, H5Lcreate_soft(target, parent, name, H5P_DEFAULT, H5P_DEFAULT));
    report_again(reports);
}

static void put_attribute(dew_Hdf *hdf, hid_t group, const char *name, hid_t file_type,
                          hid_t memory_type, const void *data, int count)
{
    hsize_t size = (hsize_t)count;
    hid_t space = count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(group, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (check(hdf, attribute)) {
        check(hdf, H5Awrite(attribute, memory_type, data));
        H5Aclose(attribute);
    }
    H5Sclose(space);
}

void dew_hdf_put_text(dew_Hdf *hdf, int64_t group, const char *name, const char *value)
{
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet();
    hid_t type = H5Tcopy(H5T_C_S1);  // ASCII
    if (check(hdf, H5Tset_size(type, strlen(value) + 1)))
        put_attribute(hdf, group, name, type, type, value, 0);
    H5Tclose(type);
    report_again(reports);
}

void dew_hdf_put_integers(dew_Hdf *hdf, int64_t group, const char *name, const int *values,
                          int count)
{
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet();
    put_attribute(hdf, group, name, H5T_STD_I32LE, H5T_NATIVE_INT, values, count);
    report_again(reports);
}

void dew_hdf_put_double(dew_Hdf *hdf, int64_t group, const char *name, double value)
{
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet();
    put_attribute(hdf, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value, 0);
    report_again(reports);
}

static hid_t file_type(dew_ScalarType type)
{
    return type == DEW_FLOAT32   ? H5T_IEEE_F32LE
           : type == DEW_FLOAT64 ? H5T_IEEE_F64LE
                                 : H5T_STD_I64LE;
}

static hid_t memory_type(dew_ScalarType type)
{
    return type == DEW_FLOAT32   ? H5T_NATIVE_FLOAT
           : type == DEW_FLOAT64 ? H5T_NATIVE_DOUBLE
                                 : H5T_NATIVE_INT64;
}

void dew_hdf_put_array(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                       const void *data, int64_t count, int width)
{
    if (!is_ok(hdf))
        return;
    Reports reports = be_quiet();
    hsize_t size[2] = {(hsize_t)count, (hsize_t)width};
    hid_t space = H5Screate_simple(width > 0 ? 2 : 1, size, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), set = -1;
    if (H5Pset_obj_track_times(creation, false) >= 0)
        set = H5Dcreate2(group, name, file_type(type), space, H5P_DEFAULT, creation, H5P_DEFAULT);
    if (check(hdf, set)) {
        if (count > 0)
            check(hdf, H5Dwrite(set, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
        H5Dclose(set);
    }
    H5Pclose(creation);
    H5Sclose(space);
    report_again(reports);
}

dew_HdfColumn dew_hdf_column(dew_Hdf *hdf, int64_t group, const char *name, dew_ScalarType type,
                             int width)
{
    dew_HdfColumn column = {.type = type, .width = width > 0 ? width : 1};
    if (!is_ok(hdf))
        return column;
    DEW_ASSERT(type == DEW_FLOAT32 || type == DEW_FLOAT64 || type == DEW_INT64);
    Reports reports = be_quiet();
    int rank = width > 0 ? 2 : 1;
    hsize_t row_bytes = dew_scalar_size(type) * (hsize_t)column.width;
    hsize_t size[2] = {0, (hsize_t)column.width}, most[2] = {H5S_UNLIMITED, size[1]};
    hsize_t chunk[2] = {row_bytes < CHUNK_BYTES ? CHUNK_BYTES / row_bytes : 1, size[1]};
    hid_t space = H5Screate_simple(rank, size, most);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    column.id = -1;
    if (H5Pset_obj_track_times(creation, false) >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 &&
        (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0 ||
         (H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, DEFLATE_LEVEL) >= 0)))
        column.id =
            H5Dcreate2(group, name, file_type(type), space, H5P_DEFAULT, creation, H5P_DEFAULT);
    check(hdf, column.id);
    H5Pclose(creation);
    H5Sclose(space);
    report_again(reports);
    return column;
}

static void append(dew_Hdf *hdf, dew_HdfColumn *column, const void *data, int64_t count)
{
    hsize_t begin[2] = {(hsize_t)column->count, 0};
    hsize_t size[2] = {(hsize_t)count, (hsize_t)column->width};
    hsize_t total[2] = {begin[0] + size[0], size[1]};
    if (!check(hdf, H5Dset_extent(column->id, total)))
        return;
    hid_t file_space = H5Dget_space(column->id);
    int rank = H5Sget_simple_extent_ndims(file_space);
    hid_t memory_space = H5Screate_simple(rank, size, NULL);
    if (check(hdf, H5Sselect_hyperslab(file_space, H5S_SELECT_SET, begin, NULL, size, NULL)))
        check(hdf, H5Dwrite(column->id, memory_type(column->type), memory_space, file_space,
                            H5P_DEFAULT, data));
    H5Sclose(memory_space);
    H5Sclose(file_space);
}

void dew_hdf_append(dew_Hdf *hdf, dew_HdfColumn *column, const void *data, int64_t count)
{
    if (!is_ok(hdf) || count == 0)
        return;
    Reports reports = be_quiet();
    append(hdf, column, data, count);
    column->count += count;
    report_again(reports);
}

static dew_Status write_image(dew_Hdf *hdf, dew_Sink *sink, const dew_Allocator *allocator)
{
    ssize_t size =
        H5Fflush(hdf->file, H5F_SCOPE_LOCAL) >= 0 ? H5Fget_file_image(hdf->file, NULL, 0) : -1;
    if (!check(hdf, size))
        return hdf->status;
    void *image = dew_resize(allocator, NULL, 0, (size_t)size);
    if (!image)
        return dew_no_memory((size_t)size);
    if (check(hdf, H5Fget_file_image(hdf->file, image, (size_t)size)))
        dew_sink_write(sink, image, (size_t)size);
    dew_free(allocator, image, (size_t)size);
    return hdf->status;
}

dew_Status dew_hdf_end(dew_Hdf *hdf, dew_Sink *sink, const dew_Allocator *allocator)
{
    if (!is_ok(hdf))
        return hdf->status;
    Reports reports = be_quiet();
    dew_Status status = write_image(hdf, sink, allocator);
    report_again(reports);
    return status;
}

void dew_hdf_close(dew_Hdf *hdf)
{
    Reports reports = be_quiet();
    if (hdf->file >= 0)
        H5Fclose(hdf->file);  // and all that is open in it
    hdf->file = -1;
    report_again(reports);
}

#else

bool dew_hdf_is_there(void)
{
    return false;
}

dew_Status dew_hdf_begin(dew_Hdf *hdf)
{
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
