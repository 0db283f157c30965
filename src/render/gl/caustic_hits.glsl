// Where the light that enters a clear surface at each of its vertices lands: the edges of the illumination
// volumes of [Durikovic] fig. 5. One pixel per vertex.
//
// Light-space coordinates run over the light's frame, z away from it. The ray is bent where it enters
// (eq. 10), followed to the body's far side or to a solid, whichever comes first, bent again when it
// leaves, and followed to the solid. Depths are read off the light's maps.
#ifdef VERTEX
void main()
{
    vec2 uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
#else
uniform sampler2D u_positions;  // w: index of refraction
uniform sampler2D u_normals;
uniform sampler2D u_solid;   // depth of solids, from the light
uniform sampler2D u_liquid;  // depth of the liquid's near side
uniform sampler2D u_back;    // its far side: normal, depth
uniform mat4 u_space;
uniform vec4 u_towards;  // w: bias of depths
uniform vec4 u_medium;   // absorption per unit
layout(location = 0) out vec4 o_hit;      // place in light space; w: 1 it lands
layout(location = 1) out vec4 o_through;  // what is left of the light

// Distance to the solid: a fixed point, exact at once on planes that face the light.
float to_solid(vec3 from, vec3 way)
{
    float t = 0.0;
    for (int i = 0; i < 6; i++)
        t = max((textureLod(u_solid, (from + t * way).xy, 0.0).r - from.z) / way.z, 0.0);
    return t;
}

bool is_inside(vec3 at)
{
    float back = textureLod(u_back, at.xy, 0.0).w;
    return at.z < back && back < 1.0;
}

// Distance to the far side, from the near one: steps that grow, then halving.
float to_back(vec3 from, vec3 way)
{
    float thick = textureLod(u_back, from.xy, 0.0).w - from.z, texel = 2.0 / float(textureSize(u_back, 0).x);
    float before = 0.0, t = max(0.3 * min(thick, 1.0 - from.z) / way.z, texel / length(way.xy + way.z));
    for (int i = 0; i < 14 && is_inside(from + t * way); i++) {
        before = t;
        t *= 1.5;
    }
    for (int i = 0; i < 7; i++) {
        float middle = 0.5 * (before + t);
        if (is_inside(from + middle * way))
            before = middle;
        else
            t = middle;
    }
    return before;
}

void main()
{
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec4 position = texelFetch(u_positions, at, 0);
    vec3 n = texelFetch(u_normals, at, 0).xyz, q = (u_space * vec4(position.xyz, 1.0)).xyz;
    float eta = position.w, cosine = dot(n, u_towards.xyz);
    float bias = u_towards.w * (2.0 + 2.0 * sqrt(1.0 - cosine * cosine) / max(cosine, 1e-3));
    o_hit = vec4(q, 0.0);
    o_through = vec4(0.0);
    if (eta == 0.0 || cosine <= 0.0)
        return;
    if (textureLod(u_solid, q.xy, 0.0).r < q.z - bias ||
        textureLod(u_liquid, q.xy, 0.0).r < q.z - bias)
        return;  // in the shade
    vec3 left = vec3(1.0 - fresnel(cosine, eta));
    vec3 inside = refract(-u_towards.xyz, n, 1.0 / eta), way = mat3(u_space) * inside;
    float solid = to_solid(q, way), back = to_back(q, way);
    if (solid > back + u_towards.w / way.z) {
        left *= exp(-u_medium.rgb * back);
        q += back * way;
        vec3 exit_normal = textureLod(u_back, q.xy, 0.0).xyz;
        float facing = dot(inside, exit_normal);
        // At the body's outline the far side may be missed by a texel: then it goes straight on.
        vec3 outside = facing > 0.0 ? refract(inside, -exit_normal, eta) : inside;
        way = mat3(u_space) * outside;
        if (outside == vec3(0.0) || way.z <= 0.02 * length(way))
            return;
        if (facing > 0.0)
            left *= 1.0 - fresnel(facing, 1.0 / eta);
        solid = to_solid(q, way);
    } else {
        left *= exp(-u_medium.rgb * solid);
    }
    q += solid * way;
    float is_there = textureLod(u_solid, q.xy, 0.0).r < 1.0 ? 1.0 : 0.0;
    o_hit = vec4(q, is_there);
    o_through = vec4(left, 1.0);
}
#endif
