"""Writes the small files that generated scenes name: meshes in every format, height tables, images, a light probe."""
import math
import struct
import zlib

# ---- meshes ------------------------------------------------------------------------------------


def cube(_=1):
    points = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return points, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def octahedron(levels=2):
    """A ball: an octahedron whose triangles are divided and pushed out to radius 1."""
    points = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    faces = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(levels):
        middles = {}

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                m = [p + q for p, q in zip(points[a], points[b])]
                size = math.sqrt(sum(x * x for x in m))
                middles[key] = len(points)
                points.append(tuple(x / size for x in m))
            return middles[key]

        faces = [t for a, b, c in faces for ab, bc, ca in ((middle(a, b), middle(b, c), middle(c, a)),)
                 for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
    return points, faces


def write_obj(path, points, faces):
    path.write_text("".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points) +
                    "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))


def write_ply(path, points, faces):
    head = (f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
    path.write_text(head + "".join(f"{x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points) +
                    "".join(f"3 {a} {b} {c}\n" for a, b, c in faces))


def write_stl(path, points, faces):
    data = b"made for a test".ljust(80) + struct.pack("<I", len(faces))
    for face in faces:
        data += struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in points[i]), 0)
    path.write_bytes(data)


def write_vtp(path, points, faces):
    numbers = " ".join(f"{x:.9g}" for p in points for x in p)
    corners = " ".join(str(i) for f in faces for i in f)
    ends = " ".join(str(3 * (i + 1)) for i in range(len(faces)))
    path.write_text(
        '<?xml version="1.0"?>\n<VTKFile type="PolyData" version="1.0" byte_order="LittleEndian">\n<PolyData>\n'
        f'<Piece NumberOfPoints="{len(points)}" NumberOfVerts="0" NumberOfLines="0" NumberOfStrips="0" NumberOfPolys="{len(faces)}">\n'
        f'<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">{numbers}</DataArray></Points>\n'
        f'<Polys><DataArray type="Int64" Name="connectivity" format="ascii">{corners}</DataArray>\n'
        f'<DataArray type="Int64" Name="offsets" format="ascii">{ends}</DataArray></Polys>\n'
        '</Piece>\n</PolyData>\n</VTKFile>\n')


MESH_WRITERS = {"obj": write_obj, "ply": write_ply, "stl": write_stl, "vtp": write_vtp}


# ---- tables and images -------------------------------------------------------------------------

def write_table(path, rows):
    path.write_text("".join(",".join(f"{x:.9g}" for x in row) + "\n" for row in rows))


def write_png(path, rows, bits=8, channels=1):
    """rows: of numbers in 0..1, `channels` for each pixel."""
    most = (1 << bits) - 1
    form = ">%dH" if bits == 16 else ">%dB"
    raw = b"".join(b"\0" + struct.pack(form % len(row), *(round(most * min(max(x, 0), 1)) for x in row)) for row in rows)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), bits, {1: 0, 3: 2}[channels], 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def write_hdr(path, width=16, height=8):
    """A sky that is brighter above."""
    data = f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode()
    for y in range(height):
        value = 255 - 16 * y
        data += struct.pack(">BBH", 2, 2, width)
        for byte in (value, value, 255, 128):
            data += struct.pack("BB", 128 + width, byte)
    path.write_bytes(data)
