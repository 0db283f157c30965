/// What every part of Dew's public interface shares: status, vectors, allocator, log, tasks.
///
/// No call of the library exits, prints or leaks. A call that can fail returns a dew_Status, whose
/// sentence says what is wrong, where, and what would be right. There is no global state.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DEW_PI      3.14159265358979323846
#define DEW_DEG(x)  ((x) * (DEW_PI / 180.0))  // degrees to radians
#define DEW_INVALID (-1)                      // no such id

/// Kind of failure of a status. The sentence is for people, the code for programs.
typedef enum dew_Code {
    DEW_OK = 0,
    DEW_BAD_INPUT,    // a scene, a file or an argument is wrong; nothing was written
    DEW_NO_MEMORY,    // an allocation failed
    DEW_IO,           // the system could not read or write
    DEW_CORRUPT,      // a file that Dew wrote is damaged (checksum, magic, length)
    DEW_BUSY,         // somebody else holds it (a run directory's lock)
    DEW_DIVERGED,     // numbers left the physical range; a smaller step may help
    DEW_UNSUPPORTED,  // understood, but this build or this solver cannot do it
    DEW_INTERRUPTED,  // stopped on request; what was done is safe
} dew_Code;

#define DEW_MESSAGE_SIZE 508

/// Result of a call: a code and its sentence. Returned by value; nothing to free.
typedef struct dew_Status {
    dew_Code code;
    char message[DEW_MESSAGE_SIZE];  // empty when code is DEW_OK; never longer than one line
} dew_Status;

dew_Status dew_ok(void);  // success, with an empty sentence

/// A failure with its sentence; `code` is not DEW_OK. Control bytes in the sentence are replaced,
/// its end is cut where it is too long. For callbacks and bindings.
dew_Status dew_fail_text(dew_Code code, const char *message);
/// The same in the manner of printf, for C.
dew_Status dew_fail(dew_Code code, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/// Returns from the calling function with the status of `call` unless it is DEW_OK.
#define DEW_TRY(call)                                                                              \
    do {                                                                                           \
        dew_Status dew_try_status_ = (call);                                                       \
        if (dew_try_status_.code != DEW_OK)                                                        \
            return dew_try_status_;                                                                \
    } while (0)

/// A point, a direction or a velocity; y is up.
typedef struct dew_Vec3 {
    double x, y, z;
} dew_Vec3;

/// Displacement of a body from its rest place: a rest point p moves to
/// c + translate_m + R (p - c), where R is the rotation and c the body's reference point at rest.
typedef struct dew_Pose {
    dew_Vec3 translate_m;
    double rotation[4];  // unit quaternion x, y, z, w; the identity is 0, 0, 0, 1
} dew_Pose;

/// A triangle mesh as two arrays that somebody else owns. Triangles are counter-clockwise seen from
/// outside.
typedef struct dew_MeshData {
    const dew_Vec3 *positions_m;
    int64_t vertex_count;
    const uint32_t *triangles;  // three vertex indices each
    int64_t triangle_count;
} dew_MeshData;

/// Allocator callback: resizes a block from old_size to new_size bytes. old_size 0: there is no
/// block yet; new_size 0: free it. Returns NULL on failure; the old block then stays. All zero:
/// malloc and free. Called from any thread.
typedef struct dew_Allocator {
    void *(*resize)(void *context, void *block, size_t old_size, size_t new_size);
    void *context;
} dew_Allocator;

/// How important a line of the log is.
typedef enum dew_LogLevel {
    DEW_LOG_DEBUG,
    DEW_LOG_INFO,
    DEW_LOG_WARNING,
    DEW_LOG_ERROR,
} dew_LogLevel;

/// Log callback, for warnings and progress that are not a result. All zero: none. Called from the
/// calling thread only.
typedef struct dew_Log {
    void (*write)(void *context, dew_LogLevel level, const char *message);
    void *context;
} dew_Log;

/// A host's own scheduler. `run` must call chunk(context, i) once for every i in [0, chunk_count),
/// in any order, on any threads, and return when all have returned. All zero: Dew's own pool.
typedef struct dew_TaskHost {
    void (*run)(void *host, int64_t chunk_count, void (*chunk)(void *context, int64_t chunk_index),
                void *context);
    void *host;
} dew_TaskHost;

/// Version of the library, such as "0.1.0".
const char *dew_version(void);

/// CPU time of one stage of a step, of the process, all sub-steps together.
typedef struct dew_StageTime {
    const char *name;  // static text
    double cpu_s;
    bool is_solver;  // a stage of the solver; else what World does around it
} dew_StageTime;

#ifdef __cplusplus
}
#endif
