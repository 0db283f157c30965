// Solids at the live level as the liquid is drawn upon: in the first light's light that comes through it, if there
// are lights, and in the code of the image.
#ifdef VERTEX
out vec3 v_ray;

void main()
{
    vec2 uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    v_ray = ray_of(uv);
    gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
#else
uniform sampler2D u_seen;       // in all light
uniform sampler2D u_base;       // in the first light's alone
uniform sampler2D u_depth;      // of solids
uniform sampler2D u_caustics0;  // live_light.glsl
in vec3 v_ray;
layout(location = 0) out vec4 o_color;

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 seen = texelFetch(u_seen, pixel, 0);
    if (LIGHTS_ON > 0) {
        vec3 at = u_eye.xyz + depth_of(texelFetch(u_depth, pixel, 0).r) * v_ray;
        vec2 uv = (u_liquid_space[0] * vec4(at, 1.0)).xy;
        vec3 part = clamp(uv, 0.0, 1.0) == uv ? textureLod(u_caustics0, uv, 0.0).rgb : vec3(1.0);
        seen.rgb += texelFetch(u_base, pixel, 0).rgb * (part - 1.0);
    }
    o_color = has(CODED) ? vec4(shown(seen.rgb), 0.5 * seen.a) : seen;
}
#endif
