// Fuzz target: any bytes as VTP.
// zlib makes up to 1032 bytes of one, and a byte can become a float.
#include "io/mesh_fuzz.h"
#include "io/vtp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    dew_Mesh mesh;
    dew_Bounded bounded;
    if (dew_fuzz_parse(dew_vtp_parse, data, size, 8192, &mesh, &bounded)) {
        dew_fuzz_return(dew_vtp_parse, dew_vtp_write, &mesh, false);
        dew_fuzz_return(dew_vtp_parse, dew_vtp_write, &mesh, true);
    }
    dew_fuzz_end(&mesh, &bounded);
    return 0;
}
