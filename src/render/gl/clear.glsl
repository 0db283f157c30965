// Clear bodies, liquid and glass: what is mirrored at the first surface and what is seen through it,
// blended as section 3.6 of [Durikovic]:
//
//     T_reflection T_water + (1 - T_reflection) T_object(u', v') (T_caustics(u', v') + I_ambient)
//
// differs: T_reflection is Fresnel's reflectance, T_water the surroundings and the lights' highlights
// (eq. 9). The object's colour with caustics and ambient light has been drawn already; u', v' are found
// there by following the ray that Snell's law bends (eq. 10) through the body, out of its back where it
// has one, and on to the first solid seen along it in the image's depth.
uniform vec4 u_medium;  // absorption per unit; w: index of refraction
uniform vec4 u_blur;    // x: roughness; y: 1 only what is behind glass, -1 only what is before it, 0 all

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
uniform sampler2D u_seen;   // the image so far
uniform sampler2D u_base;   // solids as seen under liquid
uniform sampler2D u_depth;  // of solids
uniform sampler2D u_back;   // the body's far side: normal, depth
uniform sampler2D u_glass;  // depth of the nearest glass
in vec3 v_position, v_normal;
layout(location = 0) out vec4 o_color;

// 1 / depth of the solid seen there; next to nothing where there is none.
float solid_nearness(vec2 uv)
{
    float stored = textureLod(u_depth, uv, 0.0).r;
    return stored < 1.0 ? u_forward.w - stored * u_eye.w : 1e-6;
}

// The first solid along a ray, seen in the image: steps that grow, then regula falsi. Ends after
// `reach`. Without steps it finds nothing.
bool find_solid(vec3 from, vec3 way, float reach, int steps, out vec2 uv)
{
    // Straight lines stay straight in the image: place (a + t b).xy / (a + t b).z.
    vec3 a = before_image(from), b = before_image(from + way) - a;
    float before = 0.0, after = -1.0, gap_before = 0.0, gap_after = 0.0;
    uv = vec2(0.0);
    for (int i = 1; i <= steps; i++) {
        float s = float(i) / float(steps), t = reach * s * s;
        vec3 at = a + t * b;
        at.xy /= at.z;
        if (at.z <= 0.0 || any(lessThan(at.xy, vec2(0.0))) || any(greaterThan(at.xy, vec2(1.0))))
            break;
        float gap = at.z - 1.0 / solid_nearness(at.xy);
        // Far behind what is seen there: the ray passes it.
        if (gap > 0.0 && gap < 3.0 * (t - before) + 0.02) {
            after = t;
            gap_after = gap;
            break;
        }
        before = t;
        gap_before = gap;
    }
    if (after < 0.0)
        return false;
    for (int k = 0; k < 2; k++) {
        float part = gap_before < 0.0 ? gap_before / (gap_before - gap_after) : 0.5;
        float t = mix(before, after, clamp(part, 0.1, 0.9));
        vec3 at = a + t * b;
        at.xy /= at.z;
        float gap = at.z - 1.0 / solid_nearness(at.xy);
        bool is_behind = gap > 0.0;
        after = is_behind ? t : after;
        gap_after = is_behind ? gap : gap_after;
        before = is_behind ? before : t;
        gap_before = is_behind ? gap_before : gap;
    }
    vec3 at = a + after * b;
    uv = at.xy / at.z;
    return true;
}

// Where a ray inside the body meets its far side: distance and normal (0: no far side is seen); and whether a solid is there,
// which the far side of what is wet lies just behind: no air is between them.
float find_exit(vec3 from, vec3 way, out vec3 normal, out bool is_wet, out vec2 uv)
{
    float along = max(dot(way, u_forward.xyz), 0.05), start = dot(from - u_eye.xyz, u_forward.xyz);
    uv = in_image(from).xy;
    vec4 back = textureLod(u_back, uv, 0.0);
    float t = max(back.w - start, 0.0) / along;
    is_wet = false;
    for (int i = 0; i < 3; i++) {
        uv = in_image(from + t * way).xy;
        vec4 next = textureLod(u_back, uv, 0.0);
        float solid = 1.0 / solid_nearness(uv);
        is_wet = next.w > solid && solid > start;
        if (next.w > 0.0) {
            back = next;
            t = mix(t, max(min(back.w, solid) - start, 0.0) / along, 0.75);
        } else {
            t *= 0.7;
        }
    }
    normal = back.w > 0.0 ? back.xyz : vec3(0.0);
    return t;
}

float blur()
{
    return has(ROUGH) ? u_blur.x : 0.0;
}

// What is seen through the body.
vec3 through(vec3 view, vec3 n)
{
    float eta = u_medium.w, level = has(ROUGH) ? max(6.0 + 2.0 * log2(u_blur.x), 0.0) : 0.0;
    vec3 inside = refract(view, n, 1.0 / eta), exit_normal;
    vec2 uv, wet_uv;
    bool is_wet;
    float way_out = find_exit(v_position, inside, exit_normal, is_wet, wet_uv);
    int steps = int(u_reach.y);
    bool is_met = find_solid(v_position, inside, way_out, steps, uv);
    if (is_met || is_wet) {
        // Beyond the image's edge it is extrapolated by reflection: streaks would be seen.
        uv = is_met ? uv : 1.0 - abs(1.0 - abs(wet_uv));
        float path = abs(dot(v_position - u_eye.xyz, u_forward.xyz) - 1.0 / solid_nearness(uv));
        return exp(-u_medium.rgb * path) * textureLod(u_base, uv, level).rgb;
    }
    vec3 filtered = exp(-u_medium.rgb * way_out), at = v_position + way_out * inside;
    float facing = dot(exit_normal, inside);
    bool has_exit = facing > 0.0;
    vec3 outside = refract(inside, -exit_normal, eta), turned = reflect(inside, exit_normal);
    bool is_mirrored = has_exit && outside == vec3(0.0);
    vec3 way = !has_exit ? inside : is_mirrored ? turned : outside;
    vec3 light = far_light(way, level_of(blur()));
    if (find_solid(at, way, u_reach.x, has_exit ? steps : 0, uv))
        light = textureLod(u_seen, uv, level).rgb;
    if (has(GLASS)) {
        // On glass: mirrored at its other side too, and so on; little comes out of it, at its far edges.
        vec3 there = in_image(at);
        float glass = depth_of(textureLod(u_glass, there.xy, 0.0).r);
        float trapped = is_mirrored ? smoothstep(0.95, 0.99, there.z / glass) : 0.0;
        light = mix(light, 0.6 * far_light(inside, 3.0), trapped);
    }
    float kept = has_exit && !is_mirrored ? fresnel(facing, 1.0 / eta) : 0.0;
    return filtered * mix(light, far_light(turned, level_of(blur())), kept);
}

void main()
{
    if (has(GLASS)) {
        vec3 place = in_image(v_position);
        float glass = depth_of(textureLod(u_glass, place.xy, 0.0).r);
        if (u_blur.y != 0.0 && (place.z > glass * 1.0005) != (u_blur.y > 0.0))
            discard;
    }
    vec3 view = normalize(v_position - u_eye.xyz), n = normalize(v_normal);
    // Interpolated normals of the limb may face away.
    float facing = dot(n, view);
    if (facing > -0.02)
        n = normalize(n - (facing + 0.02) * view);
    float mirror = fresnel(max(-dot(n, view), 1e-3), u_medium.w);
    vec3 mirrored = reflect(view, n);
    vec2 uv;
    vec3 reflection = highlights(mirrored, blur());
    if (find_solid(v_position + 0.002 * n, mirrored, u_reach.x, mirror > 0.06 ? int(u_reach.y) : 0,
                   uv))
        reflection += textureLod(u_seen, uv, 0.0).rgb;
    else
        reflection += far_light(mirrored, level_of(blur()));
    o_color = vec4(mirror * reflection + (1.0 - mirror) * through(view, n), 1.0);
}
#endif
