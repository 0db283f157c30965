// Glass at the live level.
#ifdef VERTEX
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
out vec3 v_position, v_normal;

void main()
{
    v_position = a_position;
    v_normal = a_normal;
    gl_Position = u_clip * vec4(a_position, 1.0);
}
#else
in vec3 v_position, v_normal;
layout(location = 0) out vec4 o_color;

void main()
{
    vec2 own = gl_FragCoord.xy * u_image.zw;
    float depth = dot(v_position - u_eye.xyz, u_forward.xyz), solid = depth_of(textureLod(u_depth, own, 0.0).r);
    o_color = vec4(clear_color(v_position, depth, normalize(v_normal), own, solid), 1.0);
}
#endif
