#include "report/assets.h"

#include <cstddef>

#include "base/fail.h"

// The bytes of a file between two symbols.
#define T2V_EMBED(name, path)                 \
  asm(".pushsection .rodata\n"                \
      ".global t2v_" #name                    \
      "_begin\n"                              \
      ".global t2v_" #name                    \
      "_end\n"                                \
      "t2v_" #name "_begin:\n.incbin \"" path \
      "\"\n"                                  \
      "t2v_" #name                            \
      "_end:\n.byte 0\n"                      \
      ".popsection\n");                       \
  extern "C" const char t2v_##name##_begin[]; \
  extern "C" const char t2v_##name##_end[]

T2V_EMBED(page_style, T2V_PAGE_STYLE);
T2V_EMBED(page_script, T2V_PAGE_SCRIPT);
#ifdef T2V_CHART_LIBRARY
T2V_EMBED(chart_library, T2V_CHART_LIBRARY);
#endif

namespace t2v::report {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::string_view page_style() { return between(t2v_page_style_begin, t2v_page_style_end); }
std::string_view page_script() { return between(t2v_page_script_begin, t2v_page_script_end); }

std::string_view chart_library() {
#ifdef T2V_CHART_LIBRARY
  return between(t2v_chart_library_begin, t2v_chart_library_end);
#else
  fail(
      "this t2v was built without the library that draws charts (Vega-Lite); get it with scripts/fetch-vega, "
      "which needs npm and a network, and build again with scripts/build");
#endif
}

}  // namespace t2v::report
