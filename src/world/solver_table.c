// The table of solvers: one line each.
#include "world/solver_table.h"

#include "solvers/apic/apic_solver.h"
#include "solvers/shallow/shallow_solver.h"
#include "solvers/splash/splash_solver.h"
#include "solvers/surface/surface_solver.h"
#include "solvers/volume/volume_solver.h"

#include <stdio.h>
#include <string.h>

// X(traits, ops), in the order in which help and hints offer them; ops NULL: not in this build.
#define SOLVERS(X)                                                                                 \
    X(dew_volume_solver_traits, &dew_volume_solver_ops)                                            \
    X(dew_surface_solver_traits, &dew_surface_solver_ops)                                          \
    X(dew_apic_solver_traits, &dew_apic_solver_ops)                                                \
    X(dew_shallow_solver_traits, &dew_shallow_solver_ops)                                          \
    X(dew_splash_solver_traits, &dew_splash_solver_ops)

#define TRAITS(traits, ops) &traits,
#define OPS(traits, ops)    ops,
// The last place is for a test's own solver.
static const dew_SolverTraits *traits_of[] = {SOLVERS(TRAITS) NULL};
static const dew_SolverOps *ops_of[] = {SOLVERS(OPS) NULL};
static int solver_count = (int)(sizeof traits_of / sizeof traits_of[0]) - 1;

void dew_solver_table_add(const dew_SolverOps *ops)
{
    int last = (int)(sizeof traits_of / sizeof traits_of[0]) - 1;
    traits_of[last] = ops->traits;
    ops_of[last] = ops;
    solver_count = last + 1;
}

dew_SolverList dew_solver_list(void)
{
    return (dew_SolverList){traits_of, solver_count};
}

static int find(const char *name)
{
    for (int i = 0; i < solver_count; i++)
        if (strcmp(traits_of[i]->name, name) == 0)
            return i;
    return DEW_INVALID;
}

const dew_SolverTraits *dew_solver_traits(const char *name)
{
    int i = find(name);
    return i == DEW_INVALID ? NULL : traits_of[i];
}

const dew_SolverOps *dew_solver_ops(const char *name)
{
    int i = find(name);
    return i == DEW_INVALID ? NULL : ops_of[i];
}

void dew_solver_names(char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < solver_count; i++) {
        if (!ops_of[i] || used >= size)
            continue;
        int length =
            snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", traits_of[i]->name);
        used += length > 0 ? (size_t)length : 0;
    }
}
