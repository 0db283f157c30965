// One side of bodies: its depth, and its normal and depth as a colour where there is one. Live: its normal alone, in
// bytes.
uniform mat4 u_to_clip;
uniform vec4 u_depth_kind;  // 1: depth along the camera's view; 0: as stored

#ifdef VERTEX
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
out vec3 v_normal;

void main()
{
    v_normal = a_normal;
    gl_Position = u_to_clip * vec4(a_position, 1.0);
}
#else
in vec3 v_normal;
layout(location = 0) out vec4 o_side;

void main()
{
    // Along the camera's view the depth is w of clip space, and its inverse is at hand.
    if (has(LIVE))
        o_side = packed_normal(v_normal);
    else
        o_side = vec4(normalize(v_normal), u_depth_kind.x > 0.0 ? 1.0 / gl_FragCoord.w : gl_FragCoord.z);
}
#endif
