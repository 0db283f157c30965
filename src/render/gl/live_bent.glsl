// What is seen in and through a clear body at the live level: blended as clear.glsl does, but the bent ray is
// looked up in two places instead of being followed. Where it ends is guessed from the depths at the
// pixel itself, then read where that guess lies in the image.
uniform sampler2D u_seen;        // solids; alpha: how bright they are under liquid
uniform sampler2D u_depth;       // of solids
uniform sampler2D u_back;        // the body's far side: normal
uniform sampler2D u_back_depth;  // 1: it has none there
uniform vec4 u_medium;           // absorption per unit; w: index of refraction

// Of the far side; 0: none.
float back_of(float stored)
{
    return stored < 1.0 ? depth_of(stored) : 0.0;
}

// at: on the body, at `depth` along the view; n: its normal there; solid: depth of what is behind.
vec3 bent(vec3 at, float depth, vec3 view, vec3 n, vec2 own, float solid)
{
    float eta = u_medium.w, back = back_of(textureLod(u_back_depth, own, 0.0).r);
    vec3 inside = refract(view, n, 1.0 / eta);
    float along = max(dot(inside, u_forward.xyz), 0.05);
    float path = max((back > depth ? min(back, solid) : solid) - depth, 0.0) / along;
    vec2 uv = in_image(at + path * inside).xy;
    float there = back_of(textureLod(u_back_depth, uv, 0.0).r), stored = textureLod(u_depth, uv, 0.0).r;
    vec3 back_normal = unpacked_normal(textureLod(u_back, there > depth ? uv : own, 0.0));
    back = there > depth ? there : back;
    solid = depth_of(stored);
    bool leaves = back > depth && back < solid;
    path = max((leaves ? back : solid) - depth, 0.0) / along;
    vec3 end = at + path * inside, outside = refract(inside, -back_normal, eta);
    if (outside == vec3(0.0))
        outside = reflect(inside, back_normal);
    // Beyond the body: to the depth of the solid seen there, if there is one.
    float ahead = dot(outside, u_forward.xyz);
    vec3 place = in_image(leaves ? end + (solid - back) / max(ahead, 0.1) * outside : end);
    bool is_far = leaves && (stored >= 1.0 || ahead < 0.1 || clamp(place.xy, 0.0, 1.0) != place.xy);
    // Where it does not count it is read at the pixel itself, which is at hand: elsewhere it is seldom.
    // Beyond the image's edge it is extrapolated by reflection.
    vec4 seen = textureLod(u_seen, is_far ? own : 1.0 - abs(1.0 - abs(place.xy)), 0.0);
    if (has(CODED))
        seen = vec4(light_shown(seen.rgb), 2.0 * seen.a);
    vec3 light = is_far ? sharp_light(outside) : seen.rgb * (leaves ? 1.0 : seen.a);
    return has(ABSORBS) ? exp(-u_medium.rgb * path) * light : light;
}

vec3 clear_color(vec3 at, float depth, vec3 n, vec2 own, float solid)
{
    vec3 view = normalize(at - u_eye.xyz);
    // Interpolated normals of the limb may face away.
    float facing = dot(n, view);
    if (facing > -0.02)
        n = normalize(n - (facing + 0.02) * view);
    float mirror = fresnel(max(-dot(n, view), 1e-3), u_medium.w);
    vec3 mirrored = reflect(view, n);
    vec3 reflection = sharp_light(mirrored) + highlights(mirrored, 0.0);
    return mix(bent(at, depth, view, n, own, solid), reflection, mirror);
}
