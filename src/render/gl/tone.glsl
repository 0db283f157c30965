// Light for a screen: the curve of dew_tone_srgb. CODED: the image is for one already, with another gain.
uniform vec4 u_gain;
#ifdef VERTEX
out vec2 v_uv;

void main()
{
    v_uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    gl_Position = vec4(2.0 * v_uv - 1.0, 0.0, 1.0);
}
#else
uniform sampler2D u_seen;
in vec2 v_uv;
layout(location = 0) out vec4 o_color;

void main()
{
    // LIVE: as many pixels as the screen has.
    vec3 seen = has(LIVE) ? texelFetch(u_seen, ivec2(gl_FragCoord.xy), 0).rgb
                          : textureLod(u_seen, v_uv, 0.0).rgb;
    o_color = vec4(shown(u_gain.x * (has(CODED) ? light_shown(seen) : seen)), 1.0);
}
#endif
