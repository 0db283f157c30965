// Linear light for a screen: the curve of dew_tone_srgb.
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
    const float SHOULDER = 0.6;
    // LIVE: as many pixels as the screen has.
    vec3 seen = has(LIVE) ? texelFetch(u_seen, ivec2(gl_FragCoord.xy), 0).rgb
                          : textureLod(u_seen, v_uv, 0.0).rgb;
    vec3 x = max(u_gain.x * seen, vec3(0.0));
    vec3 rolled = SHOULDER + (1.0 - SHOULDER) * (1.0 - (1.0 - SHOULDER) / (x - SHOULDER + 1.0 - SHOULDER));
    x = mix(x, rolled, vec3(greaterThan(x, vec3(SHOULDER))));
    o_color = vec4(mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055,
                       vec3(greaterThan(x, vec3(0.0031308)))), 1.0);
}
#endif
