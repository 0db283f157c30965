"""Bad meshes give one clear line; harmless oddities are read with a warning.

    python3 tests/bad_meshes.py build/dew [--keep FOLDER]

Makes about 200 mesh files in a temporary folder and runs `dew convert FILE out.ply` on each. A bad one
must give exit code 2, exactly one line on stderr that begins with "dew: " and names the file and the
place in it (FILE:LINE: or FILE: byte N:), within 2 s and 500 MB, and leave no output behind. A harmless
one must be converted, with a warning that names the file.
"""
import base64
import os
import pathlib
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

MAX_SECONDS = 2.0
MAX_BYTES = 500 << 20
SANITIZED = bool(os.environ.get("DEW_SANITIZED"))  # sanitizers reserve address space and are slow

POINTS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]  # a tetrahedron, outward


# ---- well-formed files of each format, to be spoilt ---------------------------------------------

def ply_header(kind="ascii", vertices=4, faces=4, xyz="float", index="list uchar int"):
    return (f"ply\nformat {kind} 1.0\nelement vertex {vertices}\nproperty {xyz} x\nproperty {xyz} y\n"
            f"property {xyz} z\nelement face {faces}\nproperty {index} vertex_indices\nend_header\n")


def ply_ascii(points=POINTS, faces=FACES, **header):
    rows = [" ".join(map(str, p)) for p in points] + [" ".join(map(str, (len(f), *f))) for f in faces]
    header = {"vertices": len(points), "faces": len(faces), **header}
    return ply_header(**header) + "\n".join(rows) + "\n"


def ply_binary(order="<", points=POINTS, faces=FACES, **header):
    kind = "binary_little_endian" if order == "<" else "binary_big_endian"
    header = {"kind": kind, "vertices": len(points), "faces": len(faces), **header}
    return (ply_header(**header).encode() + b"".join(struct.pack(order + "3f", *p) for p in points) +
            b"".join(struct.pack(order + f"B{len(f)}i", len(f), *f) for f in faces))


def obj(points=POINTS, faces=FACES):
    return ("".join(f"v {x} {y} {z}\n" for x, y, z in points) +
            "".join("f " + " ".join(str(i + 1) for i in f) + "\n" for f in faces))


def stl_text(faces=FACES, points=POINTS):
    facet = "facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n"
    return ("solid tetrahedron\n" + "".join(facet.format(
        "".join("vertex {} {} {}\n".format(*points[i]) for i in f)) for f in faces) +
        "endsolid tetrahedron\n")


def stl_binary(count=None, points=POINTS, header=b"made by hand"):
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for i in f for x in points[i]), 0) for f in FACES)
    return header.ljust(80, b"\0") + struct.pack("<I", len(FACES) if count is None else count) + body


def vtp(points=4, polys=4, coordinates=None, connectivity=None, offsets="3 6 9 12",
        root='<VTKFile type="PolyData" byte_order="LittleEndian">', extra=""):
    if coordinates is None:
        coordinates = " ".join(str(x) for p in POINTS for x in p)
    if connectivity is None:
        connectivity = " ".join(str(i) for f in FACES for i in f)
    return (f'<?xml version="1.0"?>\n{root}\n<PolyData>\n'
            f'<Piece NumberOfPoints="{points}" NumberOfPolys="{polys}">\n{extra}'
            f'<Points>\n<DataArray type="Float64" Name="p" NumberOfComponents="3" format="ascii">\n'
            f'{coordinates}\n</DataArray>\n</Points>\n<Polys>\n'
            f'<DataArray type="Int64" Name="connectivity" format="ascii">\n{connectivity}\n</DataArray>\n'
            f'<DataArray type="Int64" Name="offsets" format="ascii">\n{offsets}\n</DataArray>\n'
            f'</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n')


def vtp_raw(length=48, payload=None, word="<I", offset=0, points=4, root="",
            tail=b"</AppendedData></VTKFile>"):
    payload = struct.pack("<12f", *(x for p in POINTS for x in p)) if payload is None else payload
    head = (f'<VTKFile type="PolyData" byte_order="LittleEndian"{root}><PolyData><Piece '
            f'NumberOfPoints="{points}" NumberOfPolys="0"><Points><DataArray type="Float32" Name="p" '
            f'NumberOfComponents="3" format="appended" offset="{offset}"/></Points></Piece></PolyData>'
            f'<AppendedData encoding="raw">_')
    return head.encode() + struct.pack(word, length) + payload + tail


def vtp_inline(text, root="", points=4):
    return (f'<VTKFile type="PolyData" byte_order="LittleEndian"{root}>\n<PolyData><Piece '
            f'NumberOfPoints="{points}"><Points>\n<DataArray type="Float32" Name="p" '
            f'NumberOfComponents="3" format="binary">{text}</DataArray></Points></Piece></PolyData>'
            f'</VTKFile>')


def compressed(raw, blocks=1, size=None, last=None, sizes=None, body=None):
    packed = zlib.compress(raw)
    size = len(raw) if size is None else size
    words = [blocks, size, size if last is None else last] + (sizes or [len(packed)])
    return (base64.b64encode(struct.pack(f"<{len(words)}I", *words)) +
            base64.b64encode(packed if body is None else body)).decode()


ZLIB = ' compressor="vtkZLibDataCompressor"'
COORDINATES = struct.pack("<12f", *(x for p in POINTS for x in p))


# ---- what is wrong -----------------------------------------------------------------------------

def bad_ply():
    text, little, big = ply_ascii(), ply_binary(), ply_binary(">")
    yield "empty.ply", b""
    yield "garbage.ply", bytes(range(256)) * 40
    yield "text.ply", "this is not a mesh\n"
    yield "magic_only.ply", "ply\n"
    yield "wrong_case.ply", text.replace("ply\n", "PLY\n", 1)
    yield "no_end_header.ply", text.replace("end_header\n", "")
    yield "no_format.ply", text.replace("format ascii 1.0\n", "")
    yield "bad_format.ply", text.replace("ascii", "asci")
    yield "bad_version.ply", text.replace("1.0", "2.0")
    yield "two_formats.ply", text.replace("element vertex", "format ascii 1.0\nelement vertex", 1)
    yield "bad_type.ply", text.replace("float x", "flaot x")
    yield "bad_word.ply", text.replace("element face", "elemnt face")
    yield "no_count.ply", text.replace("element vertex 4", "element vertex")
    yield "negative_count.ply", text.replace("vertex 4", "vertex -4")
    yield "count_is_word.ply", text.replace("vertex 4", "vertex four")
    yield "count_is_nan.ply", text.replace("vertex 4", "vertex nan")
    yield "count_overflows.ply", text.replace("vertex 4", "vertex 99999999999999999999")
    yield "huge_count_text.ply", text.replace("vertex 4", "vertex 4000000000")
    yield "huge_faces_text.ply", text.replace("face 4", "face 4000000000000")
    yield "no_z.ply", text.replace("property float z\n", "")
    yield "no_vertex.ply", text.replace("element vertex", "element point")
    yield "vertex_twice.ply", text.replace("element face", "element vertex 0\nelement face")
    yield "property_twice.ply", text.replace("float z", "float z\nproperty float x")
    yield "no_indices.ply", text.replace("vertex_indices", "corner_indices")
    yield "indices_no_list.ply", text.replace("list uchar int vertex_indices", "int vertex_indices")
    yield "property_first.ply", text.replace("element vertex", "property float w\nelement vertex", 1)
    yield "many_properties.ply", text.replace("float z\n", "float z\n" + "".join(
        f"property float p{i}\n" for i in range(2000)))
    yield "many_attributes.ply", ply_ascii(points=[p + (1,) * 500 for p in POINTS]).replace(
        "float z\n", "float z\n" + "".join(f"property float p{i}\n" for i in range(500)))
    yield "nan.ply", ply_ascii(points=[(0, "nan", 0), *POINTS[1:]])
    yield "infinite.ply", ply_ascii(points=[(0, "-inf", 0), *POINTS[1:]])
    yield "beyond_double.ply", ply_ascii(points=[(0, "1e999", 0), *POINTS[1:]])
    yield "not_a_number.ply", ply_ascii(points=[(0, "zero", 0), *POINTS[1:]])
    yield "hexadecimal.ply", ply_ascii(points=[(0, "0x10", 0), *POINTS[1:]])
    yield "decimal_comma.ply", ply_ascii(points=[(0, "1,5", 0), *POINTS[1:]])
    yield "short_row.ply", ply_ascii(points=[(0, 0), *POINTS[1:]])
    yield "long_row.ply", ply_ascii(points=[(0, 0, 0, 0), *POINTS[1:]])
    yield "missing_vertex.ply", ply_ascii(points=POINTS[:3], vertices=4)
    yield "missing_face.ply", ply_ascii(faces=FACES[:3])[:-1].replace("face 3", "face 4")
    yield "one_corner.ply", ply_ascii(faces=[(0,), *FACES])
    yield "two_corners.ply", ply_ascii(faces=[*FACES, (0, 1)])
    yield "no_corners.ply", ply_ascii(faces=[(), *FACES])
    yield "negative_corners.ply", text.replace("3 0 2 1", "-3 0 2 1")
    yield "index_4.ply", ply_ascii(faces=[*FACES, (0, 1, 4)])
    yield "index_negative.ply", ply_ascii(faces=[(0, 1, -1), *FACES])
    yield "index_fraction.ply", ply_ascii(faces=[(0, 1, 1.5), *FACES])
    yield "index_huge.ply", ply_ascii(faces=[(0, 1, 1 << 40), *FACES])
    yield "list_too_long.ply", text.replace("3 0 2 1", "300000000 0 2 1")
    yield "truncated_text.ply", text[:-6]
    yield "binary_in_text.ply", text.encode().replace(b"0 1 0\n", b"\0\1\2\xff\n", 1)
    yield "very_long_line.ply", text.replace("0 1 0\n", "0 " * 3000000 + "\n", 1)
    yield "very_long_word.ply", text.replace("0 1 0\n", "0 1 " + "9" * 3000000 + "x\n", 1)
    yield "very_long_keyword.ply", "ply\n" + "x" * 3000000
    yield "many_lines.ply", "ply\nformat ascii 1.0\n" + "comment\n" * 500000 + "nonsense\n"
    for name, data in (("little", little), ("big", big)):
        yield f"truncated_vertices_{name}.ply", data[:len(data) - 60]
        yield f"truncated_faces_{name}.ply", data[:-1]
        yield f"header_only_{name}.ply", data[:data.index(b"end_header") + 11]
        yield f"huge_count_{name}.ply", data.replace(b"vertex 4", b"vertex 4294967295")
        yield f"huge_faces_{name}.ply", data.replace(b"face 4", b"face 9223372036854775807")
    yield "wrong_order_little.ply", big.replace(b"big", b"little")
    yield "wrong_order_big.ply", little.replace(b"little", b"big")
    yield "nan_binary.ply", ply_binary(points=[(0, 0, float("nan")), *POINTS[1:]])
    yield "infinite_binary.ply", ply_binary(points=[(0, 0, float("inf")), *POINTS[1:]])
    yield "index_binary.ply", ply_binary(faces=[*FACES, (0, 1, 77)])
    yield "negative_binary.ply", ply_binary(faces=[(0, 1, -2), *FACES])
    yield "two_corners_binary.ply", ply_binary(faces=[(0, 1), *FACES])
    yield "one_corner_binary.ply", ply_binary(faces=[(0,), *FACES])
    yield "list_binary.ply", little.replace(b"list uchar int", b"list uint int").replace(
        b"\x03\0\0\0\0\2\0\0\0\1\0\0\0", b"\xff\xff\xff\xff\0\2\0\0\0\1\0\0\0", 1)
    yield "skipped_list.ply", little.replace(
        b"element vertex", b"element junk 1\nproperty list uint double d\nelement vertex").replace(
        b"end_header\n", b"end_header\n\xff\xff\xff\x7f")
    yield "float_indices.ply", ply_binary(faces=[]).replace(
        b"uchar int", b"uchar float").replace(b"face 0", b"face 1") + struct.pack("<B3f", 3, 0, 1, 1.25)
    yield "utf16.ply", text.encode("utf-16")
    yield "utf16_big.ply", b"\xfe\xff" + text.encode("utf-16-be")


def bad_obj():
    text = obj()
    yield "empty.obj", b""
    yield "garbage.obj", bytes(range(255, -1, -1)) * 40
    yield "text.obj", "once upon a time\n"
    yield "html.obj", "<html><body>404 not found</body></html>\n"
    yield "zeros.obj", bytes(1000)
    yield "unknown_word.obj", text.replace("f 1", "fc 1", 1)
    yield "nan.obj", text.replace("v 1 0 0", "v 1 nan 0")
    yield "infinite.obj", text.replace("v 1 0 0", "v 1 inf 0")
    yield "beyond_double.obj", text.replace("v 1 0 0", "v 1 -1e400 0")
    yield "not_a_number.obj", text.replace("v 1 0 0", "v 1 O 0")
    yield "two_numbers.obj", text.replace("v 1 0 0", "v 1 0")
    yield "no_numbers.obj", text.replace("v 1 0 0", "v")
    yield "bad_normal.obj", text + "vn 1 0\n"
    yield "one_corner.obj", text + "f 1\n"
    yield "two_corners.obj", text + "f 1 2\n"
    yield "no_corners.obj", text + "f\n"
    yield "index_0.obj", text + "f 0 1 2\n"
    yield "index_5.obj", text + "f 1 2 5\n"
    yield "index_negative.obj", text + "f -1 -2 -5\n"
    yield "index_before.obj", "f -1 -2 -3\n" + text
    yield "index_huge.obj", text + "f 1 2 4294967297\n"
    yield "index_overflows.obj", text + "f 1 2 99999999999999999999999\n"
    yield "index_fraction.obj", text + "f 1 2 3.5\n"
    yield "index_word.obj", text + "f 1 two 3\n"
    yield "index_empty.obj", text + "f 1 /2 3\n"
    yield "index_four_parts.obj", text + "f 1/1/1/1 2 3\n"
    yield "normal_missing.obj", text + "f 1//1 2//1 3//1\n"
    yield "normal_negative.obj", text + "f 1//-1 2//-1 3//-1\n"
    yield "truncated_line.obj", text + "f 1 2"
    yield "continued_nowhere.obj", text + "f 1 2 \\"
    yield "long_line.obj", text + "f 1 2 " + "3 " * 2000000 + "9\n"
    yield "long_word.obj", text + "f 1 2 " + "3" * 3000000 + "\n"
    yield "long_garbage.obj", "q" * 3000000
    yield "utf16.obj", text.encode("utf-16")
    yield "no_vertices.obj", "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, 1000))


def bad_stl():
    text, data = stl_text(), stl_binary()
    solid = stl_binary(header=b"solid by name")
    yield "empty.stl", b""
    yield "short.stl", b"\1" * 50
    yield "garbage.stl", bytes(range(256)) * 40
    yield "text.stl", "a story\n" * 30
    yield "count_huge.stl", stl_binary(count=0xFFFFFFFF)
    yield "count_larger.stl", stl_binary(count=5)
    yield "truncated.stl", data[:-1]
    yield "truncated_header.stl", data[:83]
    yield "header_only.stl", data[:84]
    yield "truncated_solid.stl", solid[:-1]
    yield "big_endian.stl", data[:80] + struct.pack(">I", 4) + data[84:]
    yield "nan.stl", stl_binary(points=[(0, 0, float("nan")), *POINTS[1:]])
    yield "infinite.stl", stl_binary(points=[(0, 0, float("-inf")), *POINTS[1:]])
    yield "nan_text.stl", text.replace("vertex 1 0 0", "vertex 1 nan 0", 1)
    yield "infinite_text.stl", text.replace("vertex 1 0 0", "vertex 1 inf 0", 1)
    yield "beyond_double.stl", text.replace("vertex 1 0 0", "vertex 1 1e999 0", 1)
    yield "not_a_number.stl", text.replace("vertex 1 0 0", "vertex 1 x 0", 1)
    yield "two_numbers.stl", text.replace("vertex 1 0 0", "vertex 1 0", 1)
    yield "two_corners.stl", text.replace("vertex 1 0 0\n", "", 1)
    yield "one_corner.stl", text.replace("vertex 1 0 0\n", "", 1).replace("vertex 0 1 0\n", "", 1)
    yield "four_corners.stl", text.replace("endloop", "vertex 5 5 5\nendloop", 1)
    yield "no_endloop.stl", text.replace("endloop\n", "", 1)
    yield "no_endfacet.stl", text.replace("endfacet\n", "", 1)
    yield "no_endsolid.stl", text.replace("endsolid tetrahedron\n", "")
    yield "truncated_text.stl", text[:len(text) // 2]
    yield "solid_only.stl", "solid\n"
    yield "more_behind.stl", text + "and more\n"
    yield "no_normal.stl", text.replace("normal 0 0 0\n", "", 1)
    yield "long_line.stl", text.replace("vertex 1 0 0", "vertex " + "1 " * 2000000, 1)
    yield "long_word.stl", text.replace("vertex 1 0 0", "vertex 1 0 " + "1" * 3000000 + "e", 1)


def bad_vtp():
    text = vtp()
    yield "empty.vtp", b""
    yield "garbage.vtp", bytes(range(256)) * 40
    yield "text.vtp", "nothing here\n"
    yield "html.vtp", "<html><body></body></html>"
    yield "xml_only.vtp", '<?xml version="1.0"?>\n'
    yield "image_data.vtp", text.replace('"PolyData" byte', '"ImageData" byte')
    yield "no_type.vtp", text.replace('type="PolyData" ', "")
    yield "bad_order.vtp", text.replace("LittleEndian", "MiddleEndian")
    yield "bad_header_type.vtp", text.replace("byte_order", 'header_type="UInt16" byte_order')
    yield "lz4.vtp", text.replace("byte_order", 'compressor="vtkLZ4DataCompressor" byte_order')
    yield "truncated.vtp", text[:-12]
    yield "truncated_numbers.vtp", text[:text.index("</DataArray>")]
    yield "tag_not_closed.vtp", text.replace("</Points>", "")
    yield "tag_crossed.vtp", text.replace("</Points>\n<Polys>", "<Polys>\n</Points>")
    yield "tag_malformed.vtp", text.replace('Name="p"', "Name=p")
    yield "quote_open.vtp", text.replace('NumberOfPolys="4"', 'NumberOfPolys="4')
    yield "comment_open.vtp", "<!-- " + text
    yield "deep.vtp", "<VTKFile type='PolyData'>" + "<a>" * 100000
    yield "points_huge.vtp", vtp(points=4000000000)
    yield "points_beyond.vtp", vtp(points=9000000000000000000)
    yield "points_negative.vtp", vtp(points=-4)
    yield "points_word.vtp", vtp(points="four")
    yield "points_fewer.vtp", vtp(points=3)
    yield "points_more.vtp", vtp(points=5)
    yield "polys_huge.vtp", vtp(polys=4000000000)
    yield "polys_fewer.vtp", vtp(polys=3)
    yield "polys_negative.vtp", vtp(polys=-1)
    yield "nan.vtp", vtp(coordinates="0 0 nan 1 0 0 0 1 0 0 0 1")
    yield "infinite.vtp", vtp(coordinates="0 0 inf 1 0 0 0 1 0 0 0 1")
    yield "not_a_number.vtp", vtp(coordinates="0 0 z 1 0 0 0 1 0 0 0 1")
    yield "two_components.vtp", text.replace('NumberOfComponents="3"', 'NumberOfComponents="2"')
    yield "index_4.vtp", vtp(connectivity="0 2 1 0 1 3 1 2 4 2 0 3")
    yield "index_negative.vtp", vtp(connectivity="0 2 1 0 1 3 1 2 -3 2 0 3")
    yield "index_fraction.vtp", vtp(connectivity="0 2 1 0 1 3 1 2 2.5 2 0 3")
    yield "one_corner.vtp", vtp(offsets="1 6 9 12")
    yield "two_corners.vtp", vtp(offsets="3 6 9 11", connectivity="0 2 1 0 1 3 1 2 3 2 0")
    yield "offsets_fall.vtp", vtp(offsets="3 9 6 12")
    yield "offsets_huge.vtp", vtp(offsets="3 6 9 1200000000000")
    yield "offsets_negative.vtp", vtp(offsets="-3 6 9 12")
    yield "offsets_missing.vtp", text.replace('"offsets"', '"ends"')
    yield "connectivity_missing.vtp", text.replace('"connectivity"', '"corners"')
    yield "no_points.vtp", text.replace("<Points>", "<Pionts>").replace("</Points>", "</Pionts>")
    yield "string_points.vtp", text.replace("Float64", "String")
    yield "bad_encoding.vtp", text.replace('format="ascii"', 'format="asci"', 1)
    yield "attribute_short.vtp", vtp(extra='<PointData><DataArray type="Float32" Name="w">1 2 3'
                                           '</DataArray></PointData>\n')
    yield "components_huge.vtp", vtp(extra='<PointData><DataArray type="Float32" Name="w" '
                                           'NumberOfComponents="1000000000">1</DataArray></PointData>')
    yield "raw_length_wrong.vtp", vtp_raw(length=47)
    yield "raw_length_huge.vtp", vtp_raw(length=0xFFFFFFFF)
    yield "raw_truncated.vtp", vtp_raw(payload=COORDINATES[:-9], tail=b"")
    yield "raw_offset_beyond.vtp", vtp_raw(offset=100000)
    yield "raw_offset_negative.vtp", vtp_raw(offset=-4)
    yield "raw_points_huge.vtp", vtp_raw(points=300000000, length=3600000000)
    yield "raw_nan.vtp", vtp_raw(payload=COORDINATES[:-4] + struct.pack("<f", float("nan")))
    yield "raw_big_endian.vtp", vtp_raw(word=">I")
    yield "raw_no_underscore.vtp", vtp_raw().replace(b">_", b"> ")
    yield "raw_bad_encoding.vtp", vtp_raw().replace(b'"raw"', b'"rar"')
    yield "base64_bad_letter.vtp", vtp_inline("MAAAAA!!" + "A" * 64)
    yield "base64_short.vtp", vtp_inline(base64.b64encode(struct.pack("<I", 48) + COORDINATES)[:40].decode())
    yield "base64_empty.vtp", vtp_inline("")
    yield "zlib_damaged.vtp", vtp_inline(compressed(COORDINATES, body=b"x" * 30, sizes=[30]), ZLIB)
    yield "zlib_short.vtp", vtp_inline(compressed(COORDINATES[:-4], size=48), ZLIB)
    yield "zlib_blocks_huge.vtp", vtp_inline(compressed(COORDINATES, blocks=0xFFFFFFFF), ZLIB)
    yield "zlib_size_huge.vtp", vtp_inline(compressed(COORDINATES, size=0xFFFFFFFF), ZLIB)
    yield "zlib_claims_much.vtp", vtp_inline(compressed(COORDINATES, size=3600000000), ZLIB, 300000000)
    yield "zlib_sizes_huge.vtp", vtp_inline(compressed(COORDINATES, sizes=[0xFFFFFFF0]), ZLIB)
    yield "long_line.vtp", vtp(coordinates="0 " * 3000000)
    yield "long_word.vtp", vtp(coordinates="9" * 3000000 + "x")
    yield "long_tag.vtp", "<" + "V" * 3000000


def bad_names():
    yield "mesh.xyz", "0 0 0\n1 0 0\n"
    yield "mesh", "0 0 0\n1 0 0\n"
    yield "image.ply", b"\x89PNG\r\n\x1a\n" + bytes(100)


# ---- what is odd but does no harm: the words of its warning -------------------------------------

def harmless():
    text = ply_ascii()
    crlf, mark = "carriage returns", "byte-order mark"
    yield "crlf.ply", text.replace("\n", "\r\n"), crlf
    yield "crlf_binary.ply", ply_binary().replace(b"\n", b"\r\n", 9), crlf
    yield "lone_cr.ply", text.replace("\n", "\r"), crlf
    yield "mark.ply", b"\xef\xbb\xbf" + text.encode(), mark
    yield "more_behind.ply", text + "leftover\n", "8 bytes behind"
    yield "named_wrong.obj", text, "by its content"
    yield "unnamed", text, "by its content"
    yield "crlf.obj", obj().replace("\n", "\r\n"), crlf
    yield "mark.obj", b"\xef\xbb\xbf" + obj().encode(), mark
    yield "materials.obj", "mtllib a.mtl\nusemtl red\n" + obj(), "materials are ignored"
    yield "lines.obj", obj() + "l 1 2\n", "lines are ignored"
    yield "crlf.stl", stl_text().replace("\n", "\r\n"), crlf
    yield "mark.stl", b"\xef\xbb\xbf" + stl_text().encode(), mark
    yield "more_behind.stl", stl_binary(count=4) + b"\0" * 20, "behind the last triangle"
    yield "crlf.vtp", vtp().replace("\n", "\r\n"), crlf
    yield "mark.vtp", b"\xef\xbb\xbf" + vtp().encode(), mark
    yield "duplicate_face.ply", ply_ascii(faces=[*FACES, FACES[0]]), "duplicate"
    yield "duplicate_face.obj", obj(faces=[*FACES, FACES[2]]), "duplicate"
    yield "inside_out.ply", ply_ascii(faces=[f[::-1] for f in FACES]), "inside.out"
    yield "inside_out.stl", stl_text(faces=[f[::-1] for f in FACES]), "inside.out"
    yield "degenerate.ply", ply_ascii(faces=[*FACES, (0, 0, 1)]), "degenerate"
    yield "open.ply", ply_ascii(faces=FACES[:3]), "open"
    yield "open.stl", stl_text(faces=FACES[1:]), "open"
    yield "non_manifold.obj", obj(POINTS + [(0, 0, -1)], [*FACES, (0, 1, 4)]), "manifold"
    yield "no_faces.ply", ply_ascii(faces=[]), "no faces"


# ---- running -----------------------------------------------------------------------------------

def limit_memory():
    if not SANITIZED:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))


def convert(dew, path, out):
    """Exit code, lines on stderr, seconds."""
    begin = time.monotonic()
    process = subprocess.Popen([dew, "convert", path, out], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, preexec_fn=limit_memory)
    try:
        errors = process.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, [], 60.0
    lines = errors.decode(errors="replace").splitlines()
    return process.returncode, lines, time.monotonic() - begin


def left_behind(folder):
    return sorted(p.name for p in folder.iterdir())


def judge_bad(dew, path, folder):
    code, lines, seconds = convert(dew, path, folder / "out.ply")
    place = re.compile(rf"^dew: \S*{re.escape(path.name)}(:\d+: |: byte \d+: )\S")
    if code != 2:
        yield f"exit code {code} instead of 2"
    if len(lines) != 1:
        yield f"{len(lines)} lines on stderr instead of 1"
    elif not place.match(lines[0]):
        yield "the line does not begin with dew:, the file and the place"
    if seconds > MAX_SECONDS * (5 if SANITIZED else 1):
        yield f"{seconds:.1f} s"
    if left_behind(folder):
        yield f"left behind: {left_behind(folder)}"


def judge_harmless(dew, path, folder, words):
    code, lines, _ = convert(dew, path, folder / "out.ply")
    warnings = [line for line in lines if line.startswith("dew: warning: ")]
    if code != 0:
        yield f"exit code {code} instead of 0"
    if left_behind(folder) != ["out.ply"]:
        yield f"left behind: {left_behind(folder)}"
    if len(warnings) != len(lines):
        yield "something other than warnings"
    if not any(path.name in line and re.search(words, line) for line in warnings):
        yield f"no warning with '{words}'"


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    keep = sys.argv[3] if len(sys.argv) > 3 and sys.argv[2] == "--keep" else None
    folder = pathlib.Path(keep or tempfile.mkdtemp(prefix="dew-bad-meshes-"))
    wrong, bad_count, harmless_count = [], 0, 0
    cases = [(name, data, None) for make in (bad_ply, bad_obj, bad_stl, bad_vtp, bad_names)
             for name, data in make()]
    cases += list(harmless())
    for name, data, words in cases:
        inputs, out = folder / ("bad" if words is None else "harmless"), folder / "out"
        inputs.mkdir(parents=True, exist_ok=True)
        out.mkdir()
        path = inputs / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        if words is None:
            diagnostics = list(judge_bad(dew, path, out))
            bad_count += 1
        else:
            diagnostics = list(judge_harmless(dew, path, out, words))
            harmless_count += 1
        if diagnostics:
            lines = convert(dew, path, out / "again.ply")[1]
            wrong.append(f"{path}: " + "; ".join(diagnostics) +
                         "".join(f"\n    {line}" for line in lines[:4]))
        shutil.rmtree(out)
    if not keep:
        shutil.rmtree(folder)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    if peak > MAX_BYTES and not SANITIZED:
        wrong.append(f"the largest run took {peak >> 20} MB")
    print("\n".join(wrong))
    print(f"{bad_count} bad and {harmless_count} harmless meshes, {len(wrong)} judged wrongly, "
          f"{peak >> 20} MB at most")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
