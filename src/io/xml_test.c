// Tags, attributes and text.
#include "io/xml.h"

#include "io/reader_test.h"

static void expect_event(dew_Xml *xml, dew_XmlEvent event, const char *name)
{
    dew_XmlEvent found;
    dew_Status status = dew_xml_next(xml, &found);
    if (status.code != DEW_OK)
        fail_msg("refused: %s", status.message);
    assert_int_equal(found, event);
    if (event != DEW_XML_END)
        assert_true(dew_slice_is(xml->name, name));
}

static void expect_rejected(const char *text, const char *sentence)
{
    dew_Source source = dew_source_of_text("FILE", text);
    dew_Xml xml;
    dew_XmlEvent event = DEW_XML_OPEN;
    dew_Status status = dew_ok();
    dew_xml_begin(&xml, &source);
    while (status.code == DEW_OK && event != DEW_XML_END)
        status = dew_xml_next(&xml, &event);
    assert_string_equal(status.message, sentence);
}

static void test_events(void **state)
{
    (void)state;
    dew_Source source = dew_source_of_text(
        "FILE", "<?xml version='1.0'?>\n<!DOCTYPE x><!-- <b> --><a one=\"1\" two = '2 > \"'>text"
                "<![CDATA[<c>]]><b/>more<b x=''></b >\n</a>");
    dew_Xml xml;
    dew_Slice value;
    char copy[32];
    dew_xml_begin(&xml, &source);
    expect_event(&xml, DEW_XML_OPEN, "a");
    assert_true(dew_xml_attribute(&xml, "two", &value) && dew_slice_is(value, "2 > \""));
    assert_true(dew_xml_attribute(&xml, "one", &value) && dew_slice_is(value, "1"));
    assert_false(dew_xml_attribute(&xml, "on", &value));
    assert_int_equal(value.size, 0);
    assert_true(dew_slice_is(dew_xml_text(&xml), "text"));
    expect_event(&xml, DEW_XML_OPEN, "b");
    expect_event(&xml, DEW_XML_CLOSE, "b");
    assert_true(dew_slice_is(dew_xml_text(&xml), "more"));
    expect_event(&xml, DEW_XML_OPEN, "b");
    expect_event(&xml, DEW_XML_CLOSE, "b");
    expect_event(&xml, DEW_XML_CLOSE, "a");
    expect_event(&xml, DEW_XML_END, "");
    dew_xml_copy(dew_slice_of("&lt;a&gt; &amp;&quot;&apos;&x"), copy, sizeof copy);
    assert_string_equal(copy, "<a> &\"'&x");
    dew_xml_copy(dew_slice_of("abc"), copy, 3);
    assert_string_equal(copy, "ab");
}

static void test_refused(void **state)
{
    (void)state;
    char deep[200] = "";
    for (int i = 0; i < 33; i++)
        strcat(deep, "<a>");
    expect_rejected(deep, "FILE:1: tags more than 32 deep");
    expect_rejected("<a>\n<b></a>", "FILE:2: '</a>' closes a tag that is not open");
    expect_rejected("</a>", "FILE:1: '</a>' closes a tag that is not open");
    expect_rejected("<a x=1>", "FILE:1: the tag '<a' is not well formed");
    expect_rejected("<a x=\"1>", "FILE:1: the tag '<a' is not well formed");
    expect_rejected("<>", "FILE:1: the tag '<' is not well formed");
    expect_rejected("<a></a x>", "FILE:1: the tag '</a' is not well formed");
    expect_rejected("<a>\n\n<!-- x", "FILE:3: '<!--' without its '-->'");
    expect_rejected("<a><", "FILE:1: the tag '<' is not well formed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
