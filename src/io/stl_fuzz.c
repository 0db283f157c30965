// Fuzz target: any bytes as STL. STL has no numbers for vertices, so only text that came from a
// reading of STL itself (numbered in the order of first use, none unused) reads back the same.
#include "io/mesh_fuzz.h"
#include "io/stl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dew_Mesh mesh;
    dew_Bounded bounded;
    if (dew_fuzz_parse(dew_stl_parse, data, size, 64, &mesh, &bounded)) {
        dew_fuzz_return(dew_stl_parse, dew_stl_write, &mesh, true);
        // Coordinates that came from floats go through the binary form unharmed.
        dew_Source source = dew_source_from_memory("input", data, size);
        if (dew_stl_is_binary(&source))
            dew_fuzz_return(dew_stl_parse, dew_stl_write, &mesh, false);
    }
    dew_fuzz_end(&mesh, &bounded);
    return 0;
}
