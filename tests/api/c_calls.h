#pragma once

/* NOLINTBEGIN(modernize-*): this is C */

#ifdef __cplusplus
extern "C" {
#endif

const char* check_layer(void);
const char* check_refusals(void);
const char* check_model(const char* path, const char* table);
const char* check_stream(const char* path, const char* snapshot);
const char* check_values(const char* path);
const char* check_when(const char* path);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */
