// Winding number: exact, and fast by a tree of dipoles [Barill2018].
//
// The winding number is 1 / (4 pi) times the integral of n . (x - q) / |x - q|^3 over the mesh. For
// a group of triangles seen from afar the kernel is expanded about a centre c, with r = c - q:
//   sum(a n) . r / |r|^3  +  trace(M) / |r|^3 - 3 r^T M r / |r|^5,   M = sum(a (x - c) n^T),
// where a and n are area and unit normal, x the triangle's middle. differs: the centre is that of
// the group's box, not area-weighted; the first-order term makes up for it.
#include "geom/winding.h"

#include "geom/bvh_stack.h"

double dew_winding_exact(const dew_Mesh *mesh, dew_Vec3 p)
{
    const dew_Triangle *triangles = dew_mesh_triangles(mesh);
    const dew_Vec3 *x = dew_mesh_positions(mesh);
    double angle = 0;
    for (int64_t t = 0; t < mesh->triangles.count; t++) {
        const uint32_t *v = triangles[t].v;
        angle += dew_triangle_solid_angle(x[v[0]], x[v[1]], x[v[2]], p);
    }
    return angle / (4 * DEW_PI);
}

// A group while its parts are added up.
typedef struct Sum {
    dew_Vec3 center;
    double normal[3], moment[9];
} Sum;

// Adds a part with the dipole n at offset d from the group's centre.
static void add_dipole(Sum *sum, const double n[3], const double d[3])
{
    for (int i = 0; i < 3; i++) {
        sum->normal[i] += n[i];
        for (int j = 0; j < 3; j++)
            sum->moment[3 * i + j] += d[i] * n[j];
    }
}

static dew_Vec3 tree_position(const dew_Bvh *bvh, uint32_t vertex)
{
    return dew_scale(bvh->scale, dew_sub(bvh->vertices[vertex], bvh->center));
}

static void add_leaf(const dew_Bvh *bvh, uint32_t first, uint32_t count, Sum *sum)
{
    for (uint32_t s = first; s < first + count; s++) {
        const uint32_t *v = bvh->triangles[s].v;
        dew_Vec3 a = tree_position(bvh, v[0]), b = tree_position(bvh, v[1]);
        dew_Vec3 c = tree_position(bvh, v[2]);
        dew_Vec3 n = dew_scale(0.5, dew_triangle_normal(a, b, c));
        dew_Vec3 d = dew_sub(dew_scale(1.0 / 3, dew_add(a, dew_add(b, c))), sum->center);
        add_dipole(sum, (double[3]){n.x, n.y, n.z}, (double[3]){d.x, d.y, d.z});
    }
}

static void add_clusters(const dew_WindingCluster *parts, const dew_BvhNode *node, Sum *sum)
{
    const double center[3] = {sum->center.x, sum->center.y, sum->center.z};
    for (int i = 0; i < DEW_BVH_WIDTH; i++) {
        if (node->child[i] == DEW_BVH_NONE)
            continue;
        double n[3], d[3];
        for (int k = 0; k < 3; k++) {
            n[k] = (double)parts[i].normal[k];
            d[k] = (double)parts[i].center[k] - center[k];
        }
        add_dipole(sum, n, d);
        for (int k = 0; k < 9; k++)
            sum->moment[k] += (double)parts[i].moment[k];
    }
}

static dew_WindingCluster cluster_of(const dew_Bvh *bvh, const dew_WindingCluster *clusters,
                                     const dew_BvhNode *node, int i)
{
    double low[3], high[3], radius2 = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = (double)node->min[k][i];
        high[k] = (double)node->max[k][i];
        radius2 += (high[k] - low[k]) * (high[k] - low[k]) / 4;
    }
    Sum sum = {.center = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2}};
    if (node->count[i] > 0)
        add_leaf(bvh, node->child[i], node->count[i], &sum);
    else
        add_clusters(&clusters[DEW_BVH_WIDTH * (int64_t)node->child[i]],
                     &bvh->nodes[node->child[i]], &sum);
    dew_WindingCluster out = {
        .center = {(float)sum.center.x, (float)sum.center.y, (float)sum.center.z},
        .radius = (float)sqrt(radius2)};
    for (int k = 0; k < 3; k++)
        out.normal[k] = (float)sum.normal[k];
    for (int k = 0; k < 9; k++)
        out.moment[k] = (float)sum.moment[k];
    return out;
}

void dew_winding_clusters(const dew_Bvh *bvh, dew_WindingCluster *clusters)
{
    // Children come after their parents, so backwards they are ready first.
    for (int64_t n = bvh->node_count - 1; n >= 0; n--) {
        for (int i = 0; i < DEW_BVH_WIDTH; i++) {
            if (bvh->nodes[n].child[i] != DEW_BVH_NONE)
                clusters[DEW_BVH_WIDTH * n + i] = cluster_of(bvh, clusters, &bvh->nodes[n], i);
        }
    }
}

// Solid angle of a group seen from afar. r: its centre as seen from the point.
static double far_angle(const dew_WindingCluster *c, const double r[3], double r2)
{
    double dipole = 0, trace = 0, product = 0;
    for (int i = 0; i < 3; i++) {
        const float *row = &c->moment[3 * i];
        dipole += (double)c->normal[i] * r[i];
        trace += (double)row[i];
        product += r[i] * ((double)row[0] * r[0] + (double)row[1] * r[1] + (double)row[2] * r[2]);
    }
    return (dipole + trace - 3 * product / r2) / (r2 * sqrt(r2));
}

static double leaf_angle(const dew_Bvh *bvh, uint32_t first, uint32_t count, dew_Vec3 p)
{
    double angle = 0;
    for (uint32_t s = first; s < first + count; s++) {
        const uint32_t *v = bvh->triangles[s].v;
        angle += dew_triangle_solid_angle(bvh->vertices[v[0]], bvh->vertices[v[1]],
                                          bvh->vertices[v[2]], p);
    }
    return angle;
}

double dew_winding_fast(const dew_Bvh *bvh, const dew_WindingCluster *clusters, dew_Vec3 p,
                        double accuracy)
{
    if (bvh->node_count == 0)
        return 0;
    dew_Vec3 q = dew_scale(bvh->scale, dew_sub(p, bvh->center));
    double angle = 0;
    uint32_t stack[DEW_BVH_STACK];
    stack[0] = 0;
    int top = 1;
    while (top > 0) {
        uint32_t n = stack[--top];
        const dew_BvhNode *node = &bvh->nodes[n];
        for (int i = 0; i < DEW_BVH_WIDTH; i++) {
            if (node->child[i] == DEW_BVH_NONE)
                continue;
            const dew_WindingCluster *c = &clusters[DEW_BVH_WIDTH * (int64_t)n + i];
            double r[3] = {(double)c->center[0] - q.x, (double)c->center[1] - q.y,
                           (double)c->center[2] - q.z};
            double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
            double reach = accuracy * (double)c->radius;
            if (r2 > reach * reach)
                angle += far_angle(c, r, r2);
            else if (node->count[i] > 0)
                angle += leaf_angle(bvh, node->child[i], node->count[i], p);
            else
                stack[top++] = node->child[i];
        }
    }
    return angle / (4 * DEW_PI);
}
