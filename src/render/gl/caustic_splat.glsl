// Adds the light of each illumination volume to the caustics texture, eq. (8) of [Durikovic]:
// I = (N L) S1 / S2 I_light, in parts of I_light. Here (N L) S1 is the triangle's area as the light sees
// it and S2 the area it lands on, also as the light sees it; the receiver's own N L is left to it.
//
// Volumes that land on less than SMALL texels are drawn as points that hold all their light, so that
// none is lost between the texels' middles (differs: the paper draws all as areas).
uniform sampler2D u_positions;
uniform sampler2D u_hits;
uniform sampler2D u_through;
uniform usampler2D u_triangles;
uniform mat4 u_space;
uniform vec4 u_splat;  // x: 1 points; y: size of the texture in texels

#ifdef VERTEX
const float SMALL = 2.0;
out vec3 v_light;

ivec2 texel_of(uint i, sampler2D of)
{
    int width = textureSize(of, 0).x;
    return ivec2(int(i) % width, int(i) / width);
}

float area(vec2 a, vec2 b, vec2 c)
{
    vec2 u = b - a, v = c - a;
    return 0.5 * (u.x * v.y - u.y * v.x);
}

void main()
{
    bool is_point = u_splat.x > 0.0;
    int triangle = is_point ? gl_VertexID : gl_VertexID / 3, corner = gl_VertexID % 3;
    int width = textureSize(u_triangles, 0).x;
    uvec3 v = texelFetch(u_triangles, ivec2(triangle % width, triangle / width), 0).rgb;
    vec3 to[3], left[3];
    vec2 from[3];
    float landed = 1.0;
    for (int k = 0; k < 3; k++) {
        ivec2 at = texel_of(v[k], u_hits);
        vec4 hit = texelFetch(u_hits, at, 0);
        landed *= hit.w;
        to[k] = hit.xyz;
        left[k] = texelFetch(u_through, at, 0).rgb;
        from[k] = (u_space * vec4(texelFetch(u_positions, at, 0).xyz, 1.0)).xy;
    }
    float texels = u_splat.y * u_splat.y;
    float s1 = abs(area(from[0], from[1], from[2])) * texels;
    float s2 = abs(area(to[0].xy, to[1].xy, to[2].xy)) * texels;
    gl_PointSize = 2.0;
    v_light = vec3(0.0);
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);  // outside: not drawn
    if (landed == 0.0 || (s2 < SMALL) != is_point)
        return;
    if (is_point) {
        v_light = s1 * (left[0] + left[1] + left[2]) / 3.0;
        gl_Position = vec4(2.0 * (to[0].xy + to[1].xy + to[2].xy) / 3.0 - 1.0, 0.0, 1.0);
    } else {
        v_light = s1 / s2 * left[corner];
        gl_Position = vec4(2.0 * to[corner].xy - 1.0, 0.0, 1.0);
    }
}
#else
in vec3 v_light;
layout(location = 0) out vec4 o_light;

void main()
{
    // A tent of two texels' width: the weights of the four texels under a point add up to 1.
    vec2 away = abs(2.0 * gl_PointCoord - 1.0);
    float weight = u_splat.x > 0.0 ? (1.0 - away.x) * (1.0 - away.y) : 1.0;
    o_light = vec4(weight * v_light, 1.0);
}
#endif
