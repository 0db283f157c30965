// Opaque bodies: ambient light, lights with shadows and caustics, coats that mirror the surroundings.
// Two colours: as it is seen in air, and the base alone, as it is seen under liquid (where a coat of
// nearly the same index mirrors next to nothing). At the live level the second is what of the first is the
// first light's light, and alpha tells how bright the base alone is, so that live_lit.glsl can do the rest.
uniform vec4 u_fade;       // centre, begin
uniform vec4 u_fade_end;   // x: end; y: 1 thin
uniform mat4 u_from_own;   // of directions

#ifdef VERTEX
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_own;  // w: wetness
out vec3 v_position, v_normal;
out vec4 v_own;

void main()
{
    v_position = a_position;
    v_normal = a_normal;
    v_own = a_own;
    gl_Position = u_clip * vec4(a_position, 1.0);
}
#else
uniform sampler2DShadow u_shade0, u_shade1, u_shade2;   // nearest solid seen from the light
uniform sampler2DShadow u_liquid0, u_liquid1, u_liquid2;  // nearest liquid
uniform sampler2D u_caustics0, u_caustics1, u_caustics2;

in vec3 v_position, v_normal;
in vec4 v_own;
layout(location = 0) out vec4 o_color;
layout(location = 1) out vec4 o_base;

bool is_within(vec3 at)
{
    return all(greaterThanEqual(at, vec3(0.0))) && all(lessThanEqual(at, vec3(1.0)));
}

// Light of a light here, as a part of what there would be without anything in its way: straight through
// air where no liquid is before it, and by the caustics texture, eq. (8) of [Durikovic].
vec3 part_of_light(sampler2DShadow shade, sampler2DShadow liquid, sampler2D caustics, int light,
                  float cosine)
{
    vec3 at = (u_light_space[light] * vec4(v_position, 1.0)).xyz;
    float slope = min(sqrt(1.0 - cosine * cosine) / max(cosine, 0.05), 8.0);
    float solid = 1.0;
    if (is_within(at))
        solid = texture(shade, at - vec3(0.0, 0.0, u_light_towards[light].w * (1.0 + slope)));
    at = (u_liquid_space[light] * vec4(v_position, 1.0)).xyz;
    if (!has(CAUSTICS << light) || !is_within(at))
        return vec3(solid);
    return solid * (texture(liquid, at) + texture(caustics, at.xy).rgb);
}

// Adds a light's light to what falls on the front and on the back; returns the part of it that arrives.
vec3 add_light(sampler2DShadow shade, sampler2DShadow liquid, sampler2D caustics, int light, vec3 n,
              inout vec3 front, inout vec3 behind)
{
    if (light >= LIGHTS_ON)
        return vec3(1.0);
    float facing = dot(n, u_light_towards[light].xyz);
    vec3 part = vec3(1.0);
    if (!has(LIVE) || light == 0)  // live: the first light alone casts shadows
        part = part_of_light(shade, liquid, caustics, light, abs(facing));
    vec3 arriving = u_light_color[light].rgb * abs(facing) / PI * part;
    front += facing > 0.0 ? arriving : vec3(0.0);
    behind += facing > 0.0 ? vec3(0.0) : arriving;
    return part;
}

float fade_at(vec3 p)
{
    float begin = 1.0 / u_fade.w, end = 1.0 / u_fade_end.x;
    float t = (begin - 1.0 / max(distance(p, u_fade.xyz), u_fade.w)) / (begin - end);
    return smoothstep(0.0, 1.0, t);
}

void main()
{
    vec3 view = normalize(u_eye.xyz - v_position);
    vec3 normal = normalize(v_normal);
    if (dot(normal, view) < 0.0)
        normal = -normal;
    Finish f = finish_at(v_own.xyz, transpose(mat3(u_from_own)) * normal, v_own.w);
    vec3 n = normalize(normal + mat3(u_from_own) * f.bump);
    float cosine = max(dot(n, view), 1e-3);

    vec3 front = ambient(n), behind = ambient(-n);
    vec3 mirrored = reflect(-view, n);
    vec3 without_first = front;
    vec3 first_part = add_light(u_shade0, u_liquid0, u_caustics0, 0, n, front, behind);
    vec3 first = (1.0 - f.metal) * f.albedo * (front - without_first);
    add_light(u_shade1, u_liquid1, u_caustics1, 1, n, front, behind);
    add_light(u_shade2, u_liquid2, u_caustics2, 2, n, front, behind);
    float coat = f.coat * fresnel(cosine, f.ior);
    vec3 base = (1.0 - f.metal) * f.albedo * front + f.transmission * behind;
    if (LOOK == METAL || LOOK == CAR_PAINT) {
        float m = 1.0 - cosine, m2 = m * m;
        vec3 metal = mix(f.albedo, vec3(1.0), m2 * m2 * m);
        base += f.metal * metal *
                (far_light(mirrored, level_of(f.base_roughness)) +
                 highlights(mirrored, f.base_roughness));
    }
    // Light that the coat lets in from all around: about 0.91 of it at index 1.5.
    float inward = 1.0 - 0.09 * f.coat;
    vec3 color = (1.0 - coat) * inward * base;
    if (LOOK != MATTE || has(WET))
        color += coat * (far_light(mirrored, level_of(f.coat_roughness)) +
                         highlights(mirrored, f.coat_roughness) * first_part);
    if (has(FADE)) {
        float fade = fade_at(v_position);
        vec3 beyond = sharp_surroundings(-view);
        color = mix(color, beyond, fade);
        base = mix(base, beyond, fade);
        first *= 1.0 - fade;
    }
    o_color = vec4(color, 1.0);
    o_base = vec4(base, 1.0);
    if (has(LIVE)) {
        o_color.a = min(dot(base, vec3(1.0)) / max(dot(color, vec3(1.0)), 1e-4), 2.0);
        o_base.rgb = (1.0 - coat) * inward * first;
    }
}
#endif
