/// libpng kept within bounds: its memory from our allocator, its jumps caught.
#pragma once

#include "dew/base.h"

#include <png.h>
#include <setjmp.h>

typedef struct dew_PngGuard {
    jmp_buf jump;
    dew_Allocator allocator;
    bool is_out_of_memory;
    char message[160];  // why it failed
    char warning[160];  // the first warning
    png_structp png;    // made by the work; freed by its caller
    png_infop info;
} dew_PngGuard;

typedef void dew_PngWork(dew_PngGuard *guard, void *context);

/// Runs the work; false when libpng gave up, with the reason in the guard. Between its beginning
/// and its end the work must own nothing that is not reached through guard or context.
bool dew_png_guarded(dew_PngGuard *guard, dew_PngWork *work, void *context);

// What libpng is given when a struct is created; the guard is both error and memory pointer.
void dew_png_on_error(png_structp png, png_const_charp message) __attribute__((noreturn));
void dew_png_on_warning(png_structp png, png_const_charp message);
png_voidp dew_png_on_alloc(png_structp png, png_alloc_size_t size);
void dew_png_on_free(png_structp png, png_voidp memory);
