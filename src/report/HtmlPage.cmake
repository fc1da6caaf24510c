# The parts of the HTML report: page, style and scripts of html/ in the order in which they stand in the page, and
# Chart.js of the system (Debian: libjs-chart.js). Sets html_page_sources.

find_file(VIADUCT_CHART_JS chart.min.js
  PATHS /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist
  DOC "Chart.js (chart.min.js), for the HTML report")

if(VIADUCT_CHART_JS)
  message(STATUS "Chart.js: found; `viaduct report --format html` is whole")
  set(chart_js ${VIADUCT_CHART_JS})
else()
  message(STATUS "Chart.js: not found (Debian: libjs-chart.js); `viaduct report --format html` is left out")
  set(chart_js ${CMAKE_CURRENT_BINARY_DIR}/chart.js)
  file(WRITE ${chart_js} "")
endif()

set(html_files page.html style.css elements.js theme.js tables.js charts.js matrices.js sections.js)
list(TRANSFORM html_files PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/html/)
viaduct_embed_list(html_page_sources viaduct::embedded html_files ${html_files} ${chart_js})
