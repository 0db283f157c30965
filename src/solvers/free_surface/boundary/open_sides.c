// The 64 patterns of open sides.
//
// One open side gets what the others leave over (the paper's equation). Open sides that face a
// closed one get its velocity, which in two dimensions is the paper's rule for two and three open
// sides. Where sides lie open on both ends of an axis they keep what they have. What divergence is
// then left is spread evenly over the open sides: the least change, in the sense of squares, that
// removes it.
// differs: the paper leaves that rest, so that its thin sheets and tips gain or lose volume.
#include "solvers/free_surface/boundary/open_sides.h"

#define BIT(m, s)    (((m) >> (s)) & 1)
#define COUNT(m)     (BIT(m, 0) + BIT(m, 1) + BIT(m, 2) + BIT(m, 3) + BIT(m, 4) + BIT(m, 5))
#define OPPOSITES(m) ((((m)&0x15) << 1) | (((m)&0x2a) >> 1))
#define ROW(m)                                                                                     \
    {                                                                                              \
        COUNT(m), (m) & ~OPPOSITES(m)                                                              \
    }
#define FOUR_ROWS(m) ROW(m), ROW((m) + 1), ROW((m) + 2), ROW((m) + 3)
#define MORE_ROWS(m) FOUR_ROWS(m), FOUR_ROWS((m) + 4), FOUR_ROWS((m) + 8), FOUR_ROWS((m) + 12)

const dew_OpenPattern dew_open_patterns[64] = {MORE_ROWS(0), MORE_ROWS(16), MORE_ROWS(32),
                                               MORE_ROWS(48)};

void dew_open_sides_set(unsigned pattern, double u[6])
{
    const dew_OpenPattern *p = &dew_open_patterns[pattern];
    for (int s = 0; s < 6; s++)
        if (BIT(p->carried, s))
            u[s] = u[s ^ 1];
    double rest = (u[1] - u[0]) + (u[3] - u[2]) + (u[5] - u[4]);
    double fraction = rest / p->open_count;
    for (int s = 0; s < 6; s++)
        if (BIT(pattern, s))
            u[s] += s & 1 ? -fraction : fraction;
}
