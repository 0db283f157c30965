// The liquid at the live level, once per pixel: triangles are small, and a GL in software shades whole
// blocks of pixels for each of them; so their normals and depths are drawn first, and all the rest here.
#ifdef VERTEX
layout(location = 0) in vec2 a_position;  // 0..1 over the image
out vec3 v_ray;

// A hair before the far plane: the depth test lets through what has liquid on it.
void main()
{
    v_ray = ray_of(a_position);
    gl_Position = vec4(2.0 * a_position - 1.0, 0.999999, 1.0);
}
#else
uniform sampler2D u_front;        // the near side: normal
uniform sampler2D u_front_depth;
in vec3 v_ray;
layout(location = 0) out vec4 o_color;

void main()
{
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float depth = depth_of(texelFetch(u_front_depth, pixel, 0).r), solid = depth_of(texelFetch(u_depth, pixel, 0).r);
    if (solid < depth)
        discard;
    vec3 n = unpacked_normal(texelFetch(u_front, pixel, 0));
    vec3 color = clear_color(u_eye.xyz + depth * v_ray, depth, n, gl_FragCoord.xy * u_image.zw, solid);
    o_color = vec4(has(CODED) ? shown(color) : color, 1.0);
}
#endif
