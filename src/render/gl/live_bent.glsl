// What is seen in and through a clear body at the live level: blended as clear.glsl does, but the bent ray is
// looked up in two places instead of being followed. Where it ends is guessed from the depths at the
// pixel itself, then read where that guess lies in the picture.
uniform sampler2D u_seen;   // solids; alpha: how bright they are under liquid
uniform sampler2D u_depth;  // of solids
uniform sampler2D u_back;   // the body's far side: normal, depth (0: none)
uniform vec4 u_medium;      // absorption per unit; w: index of refraction

// at: on the body, at `depth` along the view; n: its normal there.
vec3 bent(vec3 at, float depth, vec3 view, vec3 n, ivec2 pixel)
{
    float eta = u_medium.w, solid = depth_of(texelFetch(u_depth, pixel, 0).r);
    vec4 back = texelFetch(u_back, pixel, 0);
    vec3 inside = refract(view, n, 1.0 / eta);
    float along = max(dot(inside, u_forward.xyz), 0.05);
    float path = max((back.w > depth ? min(back.w, solid) : solid) - depth, 0.0) / along;
    vec2 uv = in_picture(at + path * inside).xy;
    vec4 there = textureLod(u_back, uv, 0.0);
    float stored = textureLod(u_depth, uv, 0.0).r;
    back = there.w > depth ? there : back;
    solid = depth_of(stored);
    bool leaves = back.w > depth && back.w < solid;
    path = max((leaves ? back.w : solid) - depth, 0.0) / along;
    vec3 end = at + path * inside, outside = refract(inside, -back.xyz, eta);
    if (outside == vec3(0.0))
        outside = reflect(inside, back.xyz);
    // Beyond the body: to the depth of the solid seen there, if there is one.
    float ahead = dot(outside, u_forward.xyz);
    vec3 place = in_picture(leaves ? end + (solid - back.w) / max(ahead, 0.1) * outside : end);
    bool is_far = leaves && (stored >= 1.0 || ahead < 0.1 || clamp(place.xy, 0.0, 1.0) != place.xy);
    // Where it does not count it is read at the pixel itself, which is at hand: elsewhere it is seldom.
    vec2 own = (vec2(pixel) + 0.5) * u_picture.zw;
    vec4 seen = textureLod(u_seen, is_far ? own : place.xy, 0.0);
    vec3 light = is_far ? far_light(outside, 0.0) : seen.rgb * (leaves ? 1.0 : seen.a);
    return exp(-u_medium.rgb * path) * light;
}

vec3 clear_color(vec3 at, float depth, vec3 n, ivec2 pixel)
{
    vec3 view = normalize(at - u_eye.xyz);
    // Interpolated normals of the limb may face away.
    float facing = dot(n, view);
    if (facing > -0.02)
        n = normalize(n - (facing + 0.02) * view);
    float mirror = fresnel(max(-dot(n, view), 1e-3), u_medium.w);
    vec3 mirrored = reflect(view, n);
    vec3 reflection = far_light(mirrored, 0.0) + highlights(mirrored, 0.0);
    return mix(bent(at, depth, view, n, pixel), reflection, mirror);
}
