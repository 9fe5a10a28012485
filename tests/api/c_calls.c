/* What a program in C does with the library. Each function returns NULL, or the check that failed. */
#include "c_calls.h"

#include <math.h>
#include <string.h>

#include "t2v/c.h"

#define CHECK(condition) \
  if (!(condition)) return #condition

/* What older programs were built with. Structs that come in arrays never change; others grow at their end. */
_Static_assert(sizeof(t2v_choice) == 16, "t2v_choice is frozen");
_Static_assert(offsetof(t2v_choice, probability) == 8, "t2v_choice is frozen");
_Static_assert(sizeof(t2v_feature) == 24, "t2v_feature is frozen");
_Static_assert(offsetof(t2v_feature, number) == 8 && offsetof(t2v_feature, text) == 16,
               "t2v_feature is frozen");
_Static_assert(offsetof(t2v_prediction, choices) == 24 && offsetof(t2v_prediction, value) == 48 &&
                   offsetof(t2v_prediction, when_p10) == 64 && offsetof(t2v_prediction, when_mean) == 88 &&
                   offsetof(t2v_prediction, when_p10_at) == 96 && sizeof(t2v_prediction) >= 128,
               "t2v_prediction grows at its end alone");
_Static_assert(offsetof(t2v_predict_options, size) == 0 && offsetof(t2v_predict_options, after) == 32 &&
                   offsetof(t2v_predict_options, threads) == 52 && sizeof(t2v_predict_options) >= 56,
               "t2v_predict_options grows at its end alone");
_Static_assert(offsetof(t2v_event, size) == 0 && offsetof(t2v_event, features) == 32 &&
                   offsetof(t2v_event, at) == 48 && offsetof(t2v_event, value) == 56,
               "t2v_event grows at its end alone");
_Static_assert(offsetof(t2v_reply, unknown) == 8 && offsetof(t2v_reply, prediction) == 16,
               "t2v_reply grows at its end alone");

const char* check_layer(void) {
  const double omega[] = {0.5, 1.5};
  const double phi[] = {0.25, -1};
  const double times[] = {0, 2, 1e9};
  float value[6];
  float slope[6];
  float alone[6];
  const float dvalue[6] = {1, 1, 1, 1, 1, 1};
  double domega[2] = {0, 0};
  double dphi[2] = {0, 10};
  CHECK(t2v_forward(value, slope, T2V_SIN, 1, omega, phi, 2, times, 3) == T2V_OK);
  CHECK(fabs(value[2] - 1.25) < 1e-6);                   /* the linear term */
  CHECK(fabs((double)value[3] - sin(2.0)) < 1e-6);       /* 1.5 · 2 - 1 */
  CHECK(fabs((double)value[5] - sin(1.5e9 - 1)) < 1e-6); /* exact far away too */
  CHECK(fabs((double)slope[3] - cos(2.0)) < 1e-6);
  CHECK(t2v_forward(alone, NULL, T2V_SIN, 1, omega, phi, 2, times, 3) == T2V_OK);
  CHECK(memcmp(alone, value, sizeof value) == 0);
  CHECK(t2v_backward(domega, dphi, dvalue, slope, 2, times, 2) == T2V_OK);
  CHECK(fabs(domega[0] - 2) < 1e-6);
  CHECK(fabs(dphi[0] - 2) < 1e-6);
  CHECK(fabs(dphi[1] - (10 + cos(-1) + cos(2))) < 1e-6); /* added to what was there */
  return NULL;
}

const char* check_refusals(void) {
  const double one = 1;
  const double far = 1e13;
  float value = 0;
  t2v_model* model = (t2v_model*)&value;
  const t2v_reply* reply = NULL;
  CHECK(t2v_forward(&value, NULL, T2V_SIN, 0, &one, &one, 1, &far, 1) == T2V_REFUSED);
  CHECK(strstr(t2v_last_error(), "range of exact phases") != NULL);
  CHECK(t2v_forward(&value, NULL, T2V_SIN, 0, NULL, &one, 1, &one, 1) == T2V_FAULT);
  CHECK(strcmp(t2v_last_error(), "omega is NULL") == 0);
  CHECK(t2v_forward(&value, NULL, (t2v_activation)7, 0, &one, &one, 1, &one, 1) == T2V_REFUSED);
  CHECK(t2v_forward(&value, NULL, T2V_SIN, 0, &one, &one, -1, &one, 1) == T2V_REFUSED);
  CHECK(t2v_forward(&value, NULL, T2V_SIN, 0, &one, &one, 1, &one, -1) == T2V_FAULT);
  CHECK(t2v_model_load("/no/such/model.t2v", &model) == T2V_REFUSED);
  CHECK(model == NULL);
  CHECK(strstr(t2v_last_error(), "/no/such/model.t2v") != NULL);
  CHECK(t2v_model_load(NULL, &model) == T2V_FAULT);
  CHECK(t2v_model_load("x", NULL) == T2V_FAULT);
  CHECK(t2v_stream_push(NULL, NULL, &reply) == T2V_FAULT);
  CHECK(t2v_predictions_count(NULL) == 0);
  CHECK(t2v_predictions_get(NULL, 0) == NULL);
  CHECK(t2v_model_needs_time(NULL) == 0);
  t2v_model_free(NULL);
  t2v_stream_free(NULL);
  t2v_predictions_free(NULL);
  return NULL;
}

const char* check_model(const char* path, const char* table) {
  const double times[] = {0, 1.5};
  const double later[] = {1, 2};
  float vectors[2 * 64];
  int64_t width = 0;
  t2v_model* model = NULL;
  t2v_predictions* predictions = NULL;
  t2v_predict_options options = T2V_PREDICT_OPTIONS;
  const t2v_prediction* first = NULL;
  CHECK(t2v_model_load(path, &model) == T2V_OK);
  CHECK(strcmp(t2v_version(), T2V_VERSION) == 0);
  CHECK(strcmp(t2v_model_task(model), "next") == 0);
  CHECK(strcmp(t2v_model_unit(model), "d") == 0);
  CHECK(t2v_model_needs_time(model) == 1);
  CHECK(t2v_model_width(model, "gap", &width) == T2V_OK);
  CHECK(width == 5);
  CHECK(t2v_model_encode(model, "gap", times, 2, vectors) == T2V_OK);
  CHECK(memcmp(vectors, vectors + 5, 5 * sizeof(float)) != 0);
  CHECK(t2v_model_width(model, "never", &width) == T2V_REFUSED);

  CHECK(t2v_model_predict(model, &table, 1, NULL, &predictions) == T2V_REFUSED);
  CHECK(predictions == NULL);
  options.top = 3;
  options.after = later;
  options.after_count = 2;
  CHECK(t2v_model_predict(model, &table, 1, &options, &predictions) == T2V_OK);
  CHECK(t2v_predictions_count(predictions) == 80);
  CHECK(t2v_predictions_get(predictions, 80) == NULL);
  first = t2v_predictions_get(predictions, 0);
  CHECK(strncmp(first->id, "guest", 5) == 0);
  CHECK(strlen(first->at) == strlen("2024-05-01T08:00:00Z"));
  CHECK(first->choice_count == 3);
  CHECK(first->choices[0].probability >= first->choices[1].probability);
  CHECK(!first->has_value && !first->has_when);
  t2v_predictions_free(predictions);
  options.size = 0;
  CHECK(t2v_model_predict(model, &table, 1, &options, &predictions) == T2V_FAULT);
  t2v_model_free(model);
  return NULL;
}

const char* check_stream(const char* path, const char* snapshot) {
  const t2v_feature price = {"price", 3, NULL};
  const t2v_feature colour = {"colour", 0, "green"};
  t2v_model* model = NULL;
  t2v_stream* stream = NULL;
  t2v_stream* next = NULL;
  const t2v_reply* reply = NULL;
  t2v_event event = T2V_EVENT;
  double probability = 0;
  CHECK(t2v_model_load(path, &model) == T2V_OK);
  CHECK(t2v_stream_open(model, 0, 2, &stream) == T2V_OK);
  CHECK(t2v_stream_open(model, -1, 0, &next) == T2V_REFUSED);
  CHECK(t2v_stream_open(model, 0, 0, &next) == T2V_OK);
  t2v_model_free(model); /* the streams keep it */
  event.id = "a";
  event.time = "2024-05-01T08:00:00Z";
  event.type = "tea";
  event.features = &price;
  event.feature_count = 1;
  CHECK(t2v_stream_push(stream, &event, &reply) == T2V_OK);
  CHECK(reply->taken && !reply->late && reply->prediction == NULL);
  CHECK(t2v_stream_save(stream, snapshot) == T2V_OK);
  CHECK(t2v_stream_predict(stream, "a", "2024-05-02T08:00:00Z", &reply) == T2V_OK);
  CHECK(reply->prediction->choice_count == 2);
  CHECK(strcmp(reply->prediction->id, "a") == 0);
  probability = reply->prediction->choices[0].probability;
  CHECK(t2v_stream_predict(stream, "b", "2024-05-02T08:00:00Z", &reply) == T2V_REFUSED);
  CHECK(reply == NULL);
  CHECK(t2v_stream_restore(next, snapshot) == T2V_OK);
  CHECK(t2v_stream_predict(next, "a", "2024-05-02T08:00:00Z", &reply) == T2V_OK);
  CHECK(reply->prediction->choices[0].probability == probability);
  event.features = &colour;
  CHECK(t2v_stream_push(stream, &event, &reply) == T2V_REFUSED);
  CHECK(strcmp(t2v_last_error(), "the model has no feature 'colour'; it has price") == 0);
  event.features = &price;
  event.time = "2024-04-01";
  event.at = "2024-05-03";
  CHECK(t2v_stream_push(stream, &event, &reply) == T2V_OK);
  CHECK(!reply->taken && reply->late);
  event.time = NULL;
  CHECK(t2v_stream_push(stream, &event, &reply) == T2V_FAULT);
  t2v_stream_free(stream);
  t2v_stream_free(next);
  return NULL;
}

/* The forecast of the time 9 after a value at 8, NaN if there is none. `size` is that of the caller's struct.
 */
static double forecast_after(t2v_model* model, double value, size_t size) {
  t2v_stream* stream = NULL;
  const t2v_reply* reply = NULL;
  t2v_event event = T2V_EVENT;
  double said = NAN;
  event.size = size;
  event.id = "a";
  event.time = "8";
  event.at = "9";
  event.value = value;
  if (t2v_stream_open(model, 0, 0, &stream) != T2V_OK) return NAN;
  if (t2v_stream_push(stream, &event, &reply) == T2V_OK && reply->prediction != NULL &&
      reply->prediction->has_value) {
    said = reply->prediction->value;
  }
  t2v_stream_free(stream);
  return said;
}

const char* check_values(const char* path) {
  t2v_model* model = NULL;
  double low = NAN;
  double none = NAN;
  const t2v_event empty = T2V_EVENT;
  CHECK(isnan(empty.value));
  CHECK(t2v_model_load(path, &model) == T2V_OK);
  CHECK(strcmp(t2v_model_task(model), "forecast") == 0);
  low = forecast_after(model, 1, sizeof(t2v_event));
  none = forecast_after(model, NAN, sizeof(t2v_event));
  CHECK(isfinite(low) && isfinite(none) && low != none);
  CHECK(forecast_after(model, 5, sizeof(t2v_event)) != low);
  /* A program that was built before there were values has none. */
  CHECK(forecast_after(model, 1, offsetof(t2v_event, value)) == none);
  t2v_model_free(model);
  return NULL;
}

const char* check_when(const char* path) {
  t2v_model* model = NULL;
  t2v_stream* stream = NULL;
  const t2v_reply* reply = NULL;
  const t2v_prediction* said = NULL;
  t2v_event event = T2V_EVENT;
  event.id = "a";
  event.time = "8";
  event.type = "tea";
  CHECK(t2v_model_load(path, &model) == T2V_OK);
  CHECK(t2v_stream_open(model, 0, 0, &stream) == T2V_OK);
  CHECK(t2v_stream_push(stream, &event, &reply) == T2V_OK);
  said = reply->prediction;
  CHECK(said != NULL && said->has_when && !said->has_value && isnan(said->value));
  CHECK(0 < said->when_p10 && said->when_p10 < said->when_median && said->when_median < said->when_p90);
  CHECK(said->when_mean > 0);
  CHECK(strcmp(said->when_median_at, "") == 0 && strcmp(said->when_mean_at, "") == 0); /* times are no dates */
  t2v_stream_free(stream);
  t2v_model_free(model);
  return NULL;
}
