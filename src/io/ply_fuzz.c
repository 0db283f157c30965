// Fuzz target: any bytes as PLY.
#include "io/mesh_fuzz.h"
#include "io/ply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dew_Mesh mesh;
    dew_Bounded bounded;
    if (dew_fuzz_parse(dew_ply_parse, data, size, 64, &mesh, &bounded)) {
        dew_fuzz_return(dew_ply_parse, dew_ply_write, &mesh, false);
        dew_fuzz_return(dew_ply_parse, dew_ply_write, &mesh, true);
    }
    dew_fuzz_end(&mesh, &bounded);
    return 0;
}
