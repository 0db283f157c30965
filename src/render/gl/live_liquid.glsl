// The liquid at the live level, once per pixel: triangles are small, and a GL in software shades whole
// blocks of pixels for each of them; so their normals and depths are drawn first, and all the rest here.
#ifdef VERTEX
out vec3 v_ray;

// A hair before the far plane: the depth test lets through what has liquid on it.
void main()
{
    vec2 uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);
    v_ray = ray_of(uv);
    gl_Position = vec4(2.0 * uv - 1.0, 0.999999, 1.0);
}
#else
uniform sampler2D u_front;  // the near side: normal, depth
in vec3 v_ray;
layout(location = 0) out vec4 o_color;

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    vec4 front = texelFetch(u_front, pixel, 0);
    if (depth_of(texelFetch(u_depth, pixel, 0).r) < front.w)
        discard;
    o_color = vec4(clear_color(u_eye.xyz + front.w * v_ray, front.w, front.xyz, pixel), 1.0);
}
#endif
