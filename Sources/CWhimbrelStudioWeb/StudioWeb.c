// The files of the page, in the tool itself: it works wherever it is copied to.
// A test compares the list with the folder.
#include "CWhimbrelStudioWeb.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "Web/api.js"
};
static const unsigned char app_js[] = {
#embed "Web/app.js"
};
static const unsigned char changes_js[] = {
#embed "Web/changes.js"
};
static const unsigned char charts_js[] = {
#embed "Web/charts.js"
};
static const unsigned char check_js[] = {
#embed "Web/check.js"
};
static const unsigned char class_page_js[] = {
#embed "Web/class-page.js"
};
static const unsigned char classes_js[] = {
#embed "Web/classes.js"
};
static const unsigned char columns_dialog_js[] = {
#embed "Web/columns-dialog.js"
};
static const unsigned char columns_js[] = {
#embed "Web/columns.js"
};
static const unsigned char compare_js[] = {
#embed "Web/compare.js"
};
static const unsigned char comparison_js[] = {
#embed "Web/comparison.js"
};
static const unsigned char completion_js[] = {
#embed "Web/completion.js"
};
static const unsigned char data_js[] = {
#embed "Web/data.js"
};
static const unsigned char details_js[] = {
#embed "Web/details.js"
};
static const unsigned char diagram_js[] = {
#embed "Web/diagram.js"
};
static const unsigned char difference_js[] = {
#embed "Web/difference.js"
};
static const unsigned char dom_js[] = {
#embed "Web/dom.js"
};
static const unsigned char edit_data_js[] = {
#embed "Web/edit-data.js"
};
static const unsigned char edit_date_js[] = {
#embed "Web/edit-date.js"
};
static const unsigned char edit_form_js[] = {
#embed "Web/edit-form.js"
};
static const unsigned char edit_link_js[] = {
#embed "Web/edit-link.js"
};
static const unsigned char edit_value_js[] = {
#embed "Web/edit-value.js"
};
static const unsigned char edit_js[] = {
#embed "Web/edit.js"
};
static const unsigned char editors_js[] = {
#embed "Web/editors.js"
};
static const unsigned char explain_js[] = {
#embed "Web/explain.js"
};
static const unsigned char export_js[] = {
#embed "Web/export.js"
};
static const unsigned char favicon_svg[] = {
#embed "Web/favicon.svg"
};
static const unsigned char filter_js[] = {
#embed "Web/filter.js"
};
static const unsigned char format_js[] = {
#embed "Web/format.js"
};
static const unsigned char icons_svg[] = {
#embed "Web/icons.svg"
};
static const unsigned char incoming_js[] = {
#embed "Web/incoming.js"
};
static const unsigned char index_html[] = {
#embed "Web/index.html"
};
static const unsigned char kinds_js[] = {
#embed "Web/kinds.js"
};
static const unsigned char layout_js[] = {
#embed "Web/layout.js"
};
static const unsigned char live_js[] = {
#embed "Web/live.js"
};
static const unsigned char measure_js[] = {
#embed "Web/measure.js"
};
static const unsigned char names_js[] = {
#embed "Web/names.js"
};
static const unsigned char neighbours_js[] = {
#embed "Web/neighbours.js"
};
static const unsigned char object_js[] = {
#embed "Web/object.js"
};
static const unsigned char objects_css[] = {
#embed "Web/objects.css"
};
static const unsigned char objects_js[] = {
#embed "Web/objects.js"
};
static const unsigned char overview_js[] = {
#embed "Web/overview.js"
};
static const unsigned char pages_css[] = {
#embed "Web/pages.css"
};
static const unsigned char peek_js[] = {
#embed "Web/peek.js"
};
static const unsigned char plan_result_js[] = {
#embed "Web/plan-result.js"
};
static const unsigned char plan_js[] = {
#embed "Web/plan.js"
};
static const unsigned char preferences_js[] = {
#embed "Web/preferences.js"
};
static const unsigned char progress_js[] = {
#embed "Web/progress.js"
};
static const unsigned char query_tokens_js[] = {
#embed "Web/query-tokens.js"
};
static const unsigned char record_js[] = {
#embed "Web/record.js"
};
static const unsigned char router_js[] = {
#embed "Web/router.js"
};
static const unsigned char rows_js[] = {
#embed "Web/rows.js"
};
static const unsigned char schema_change_js[] = {
#embed "Web/schema-change.js"
};
static const unsigned char schema_source_js[] = {
#embed "Web/schema-source.js"
};
static const unsigned char schema_js[] = {
#embed "Web/schema.js"
};
static const unsigned char scroll_js[] = {
#embed "Web/scroll.js"
};
static const unsigned char shell_js[] = {
#embed "Web/shell.js"
};
static const unsigned char shortcuts_js[] = {
#embed "Web/shortcuts.js"
};
static const unsigned char sizes_js[] = {
#embed "Web/sizes.js"
};
static const unsigned char statistics_js[] = {
#embed "Web/statistics.js"
};
static const unsigned char store_choice_js[] = {
#embed "Web/store-choice.js"
};
static const unsigned char style_css[] = {
#embed "Web/style.css"
};
static const unsigned char table_actions_js[] = {
#embed "Web/table-actions.js"
};
static const unsigned char table_head_js[] = {
#embed "Web/table-head.js"
};
static const unsigned char table_keys_js[] = {
#embed "Web/table-keys.js"
};
static const unsigned char table_pointer_js[] = {
#embed "Web/table-pointer.js"
};
static const unsigned char table_row_js[] = {
#embed "Web/table-row.js"
};
static const unsigned char table_selection_js[] = {
#embed "Web/table-selection.js"
};
static const unsigned char table_widths_js[] = {
#embed "Web/table-widths.js"
};
static const unsigned char table_window_js[] = {
#embed "Web/table-window.js"
};
static const unsigned char table_js[] = {
#embed "Web/table.js"
};
static const unsigned char text_js[] = {
#embed "Web/text.js"
};
static const unsigned char theme_js[] = {
#embed "Web/theme.js"
};
static const unsigned char transaction_js[] = {
#embed "Web/transaction.js"
};
static const unsigned char treemap_js[] = {
#embed "Web/treemap.js"
};
static const unsigned char undo_js[] = {
#embed "Web/undo.js"
};
static const unsigned char value_query_js[] = {
#embed "Web/value-query.js"
};
static const unsigned char values_js[] = {
#embed "Web/values.js"
};
static const unsigned char views_js[] = {
#embed "Web/views.js"
};

#define FILE_NAMED(name, bytes) {name, bytes, sizeof bytes}

static const WhimbrelStudioFile files[] = {
    FILE_NAMED("api.js", api_js),
    FILE_NAMED("app.js", app_js),
    FILE_NAMED("changes.js", changes_js),
    FILE_NAMED("charts.js", charts_js),
    FILE_NAMED("check.js", check_js),
    FILE_NAMED("class-page.js", class_page_js),
    FILE_NAMED("classes.js", classes_js),
    FILE_NAMED("columns-dialog.js", columns_dialog_js),
    FILE_NAMED("columns.js", columns_js),
    FILE_NAMED("compare.js", compare_js),
    FILE_NAMED("comparison.js", comparison_js),
    FILE_NAMED("completion.js", completion_js),
    FILE_NAMED("data.js", data_js),
    FILE_NAMED("details.js", details_js),
    FILE_NAMED("diagram.js", diagram_js),
    FILE_NAMED("difference.js", difference_js),
    FILE_NAMED("dom.js", dom_js),
    FILE_NAMED("edit-data.js", edit_data_js),
    FILE_NAMED("edit-date.js", edit_date_js),
    FILE_NAMED("edit-form.js", edit_form_js),
    FILE_NAMED("edit-link.js", edit_link_js),
    FILE_NAMED("edit-value.js", edit_value_js),
    FILE_NAMED("edit.js", edit_js),
    FILE_NAMED("editors.js", editors_js),
    FILE_NAMED("explain.js", explain_js),
    FILE_NAMED("export.js", export_js),
    FILE_NAMED("favicon.svg", favicon_svg),
    FILE_NAMED("filter.js", filter_js),
    FILE_NAMED("format.js", format_js),
    FILE_NAMED("icons.svg", icons_svg),
    FILE_NAMED("incoming.js", incoming_js),
    FILE_NAMED("index.html", index_html),
    FILE_NAMED("kinds.js", kinds_js),
    FILE_NAMED("layout.js", layout_js),
    FILE_NAMED("live.js", live_js),
    FILE_NAMED("measure.js", measure_js),
    FILE_NAMED("names.js", names_js),
    FILE_NAMED("neighbours.js", neighbours_js),
    FILE_NAMED("object.js", object_js),
    FILE_NAMED("objects.css", objects_css),
    FILE_NAMED("objects.js", objects_js),
    FILE_NAMED("overview.js", overview_js),
    FILE_NAMED("pages.css", pages_css),
    FILE_NAMED("peek.js", peek_js),
    FILE_NAMED("plan-result.js", plan_result_js),
    FILE_NAMED("plan.js", plan_js),
    FILE_NAMED("preferences.js", preferences_js),
    FILE_NAMED("progress.js", progress_js),
    FILE_NAMED("query-tokens.js", query_tokens_js),
    FILE_NAMED("record.js", record_js),
    FILE_NAMED("router.js", router_js),
    FILE_NAMED("rows.js", rows_js),
    FILE_NAMED("schema-change.js", schema_change_js),
    FILE_NAMED("schema-source.js", schema_source_js),
    FILE_NAMED("schema.js", schema_js),
    FILE_NAMED("scroll.js", scroll_js),
    FILE_NAMED("shell.js", shell_js),
    FILE_NAMED("shortcuts.js", shortcuts_js),
    FILE_NAMED("sizes.js", sizes_js),
    FILE_NAMED("statistics.js", statistics_js),
    FILE_NAMED("store-choice.js", store_choice_js),
    FILE_NAMED("style.css", style_css),
    FILE_NAMED("table-actions.js", table_actions_js),
    FILE_NAMED("table-head.js", table_head_js),
    FILE_NAMED("table-keys.js", table_keys_js),
    FILE_NAMED("table-pointer.js", table_pointer_js),
    FILE_NAMED("table-row.js", table_row_js),
    FILE_NAMED("table-selection.js", table_selection_js),
    FILE_NAMED("table-widths.js", table_widths_js),
    FILE_NAMED("table-window.js", table_window_js),
    FILE_NAMED("table.js", table_js),
    FILE_NAMED("text.js", text_js),
    FILE_NAMED("theme.js", theme_js),
    FILE_NAMED("transaction.js", transaction_js),
    FILE_NAMED("treemap.js", treemap_js),
    FILE_NAMED("undo.js", undo_js),
    FILE_NAMED("value-query.js", value_query_js),
    FILE_NAMED("values.js", values_js),
    FILE_NAMED("views.js", views_js),
};

WhimbrelStudioFile whimbrel_studio_file(size_t index) {
  WhimbrelStudioFile none = {0};
  return index < sizeof files / sizeof files[0] ? files[index] : none;
}
