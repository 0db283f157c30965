// The surroundings behind everything.
#ifdef VERTEX
out vec2 v_uv;

void main()
{
    v_uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * v_uv - 1.0, 1.0, 1.0);
}
#else
in vec2 v_uv;
layout(location = 0) out vec4 o_color;
layout(location = 1) out vec4 o_base;

void main()
{
    o_color = vec4(sharp_surroundings(normalize(ray_of(v_uv))), 1.0);
    o_base = has(LIVE) ? vec4(0.0) : o_color;
}
#endif
