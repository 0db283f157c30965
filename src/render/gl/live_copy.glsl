// Tiles of an image at the live level, before the liquid is drawn on them: what lies behind it; as depth, nothing.
#ifdef VERTEX
layout(location = 0) in vec2 a_position;

void main()
{
    gl_Position = vec4(2.0 * a_position - 1.0, 1.0, 1.0);
}
#else
uniform sampler2D u_seen;
layout(location = 0) out vec4 o_color;

void main()
{
    o_color = texelFetch(u_seen, ivec2(gl_FragCoord.xy), 0);
}
#endif
