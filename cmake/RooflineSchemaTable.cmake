# Lists the op schemas of the installed ONNX for lib/Import/ONNX/SchemaTable.cpp.

# roofline_generate_schema_table(OUTPUT)
#
# Writes one ROOFLINE_ONNX_SCHEMA(DOMAIN, NAME, VERSION) a line, sorted by
# domain, then name.
function(roofline_generate_schema_table output)
  set(entries)
  foreach(header operator_sets.h operator_sets_ml.h operator_sets_preview.h)
    file(STRINGS "${roofline_onnx_root}/include/onnx/defs/${header}" lines
      REGEX "^class ONNX_(PREVIEW_)?OPERATOR_SET_SCHEMA_CLASS_NAME\\(")
    foreach(line ${lines})
      if(line MATCHES "PREVIEW_OPERATOR_SET_SCHEMA_CLASS_NAME\\(([0-9]+), ([A-Za-z0-9_]+)\\)")
        list(APPEND entries
          "ROOFLINE_ONNX_SCHEMA(OnnxPreview, ${CMAKE_MATCH_2}, ${CMAKE_MATCH_1})")
      elseif(line MATCHES "\\(([A-Za-z]+), ([0-9]+), ([A-Za-z0-9_]+)\\)")
        list(APPEND entries
          "ROOFLINE_ONNX_SCHEMA(${CMAKE_MATCH_1}, ${CMAKE_MATCH_3}, ${CMAKE_MATCH_2})")
      endif()
    endforeach()
  endforeach()
  list(LENGTH entries count)
  if(count LESS 600)
    message(FATAL_ERROR "Only ${count} op schemas found in ONNX's headers")
  endif()
  list(SORT entries)
  list(JOIN entries "\n" text)
  file(CONFIGURE OUTPUT "${output}" CONTENT "${text}\n" @ONLY)
endfunction()
