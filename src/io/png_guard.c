// libpng reports failure by a jump. It is caught here and nowhere else, in a function that has no
// variables of its own to lose.
#include "io/png_guard.h"

#include "io/sized_memory.h"

#include <stdio.h>

bool dew_png_guarded(dew_PngGuard *guard, dew_PngWork *work, void *context)
{
    if (setjmp(guard->jump))
        return false;
    work(guard, context);
    return true;
}

void dew_png_on_error(png_structp png, png_const_charp message)
{
    dew_PngGuard *guard = png_get_error_ptr(png);
    snprintf(guard->message, sizeof guard->message, "%s", message);
    longjmp(guard->jump, 1);
}

void dew_png_on_warning(png_structp png, png_const_charp message)
{
    dew_PngGuard *guard = png_get_error_ptr(png);
    if (!guard->warning[0])
        snprintf(guard->warning, sizeof guard->warning, "%s", message);
}

png_voidp dew_png_on_alloc(png_structp png, png_alloc_size_t size)
{
    dew_PngGuard *guard = png_get_mem_ptr(png);
    void *memory = dew_sized_alloc(&guard->allocator, size);
    if (!memory)
        guard->is_out_of_memory = true;
    return memory;
}

void dew_png_on_free(png_structp png, png_voidp memory)
{
    dew_PngGuard *guard = png_get_mem_ptr(png);
    dew_sized_free(&guard->allocator, memory);
}
