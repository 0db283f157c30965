// The first light's light around the liquid, as a part of what there would be without it: none behind the
// liquid (u_splat.x = 0), and then what goes through it, eq. (8) of [Durikovic], added up (u_splat.x = 1).
//
// S1 / S2 is how much a triangle's place on the liquid changes from one texel to the next where it lands, so
// that light is kept on the average however small triangles are. differs: light is bent where it enters,
// not where it leaves.
uniform sampler2D u_solid;  // depth of solids, from the light
uniform mat4 u_space;
uniform vec4 u_towards;  // w: bias of depths
uniform vec4 u_medium;   // absorption per unit; w: index of refraction
uniform vec4 u_splat;    // x: which; y: size of the texture in texels

#ifdef VERTEX
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
out vec2 v_from;
out vec3 v_light;

void main()
{
    vec3 q = (u_space * vec4(a_position, 1.0)).xyz;
    float cosine = dot(a_normal, u_towards.xyz), eta = u_medium.w;
    vec3 inside = refract(-u_towards.xyz, cosine > 0.0 ? a_normal : u_towards.xyz, 1.0 / eta);
    vec3 way = mat3(u_space) * inside;
    float t = 0.0, is_lit = 0.0;
    int looks = 3 * int(u_splat.x);  // what only keeps light off stays where it is
    for (int i = 0; i < looks; i++) {
        float solid = textureLod(u_solid, (q + t * way).xy, 0.0).r;
        if (i == 0)
            is_lit = solid < q.z - u_towards.w ? 0.0 : 1.0;
        t = max((solid - q.z) / way.z, 0.0);
    }
    v_from = u_splat.y * q.xy;
    v_light = cosine > 0.0 ? is_lit * (1.0 - fresnel(cosine, eta)) * exp(-u_medium.rgb * t) : vec3(0.0);
    vec3 to = q + (cosine > 0.0 ? u_splat.x * t : 0.0) * way;
    gl_Position = vec4(2.0 * to.xy - 1.0, 2.0 * q.z - 1.0, 1.0);
}
#else
in vec2 v_from;
in vec3 v_light;
layout(location = 0) out vec4 o_light;

void main()
{
    vec2 u = dFdx(v_from), v = dFdy(v_from);
    float s = min(abs(u.x * v.y - u.y * v.x), 32.0);
    o_light = vec4(u_splat.x * s * v_light, 1.0);
    if (u_splat.x == 0.0 && texelFetch(u_solid, ivec2(gl_FragCoord.xy), 0).r < gl_FragCoord.z)
        discard;
}
#endif
