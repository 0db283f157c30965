// The light through the liquid at the live level, smoothed by 1 2 1 along both axes: what it is drawn by has hard edges,
// which show as teeth on walls that it grazes.
#ifdef VERTEX
void main()
{
    vec2 uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * uv - 1.0, 0.0, 1.0);
}
#else
uniform sampler2D u_seen;  // the light
uniform vec4 u_splat;      // y: its size in texels
layout(location = 0) out vec4 o_light;

void main()
{
    vec2 uv = gl_FragCoord.xy / u_splat.y, d = vec2(0.5, -0.5) / u_splat.y;
    // Between four texels each.
    o_light = 0.25 * (textureLod(u_seen, uv + d.xx, 0.0) + textureLod(u_seen, uv + d.xy, 0.0) +
                      textureLod(u_seen, uv + d.yx, 0.0) + textureLod(u_seen, uv + d.yy, 0.0));
}
#endif
