#pragma once

/* The library for C, and for every language that can call it.
 *
 * Every function that can fail returns T2V_OK or what went wrong; t2v_last_error() then says it in words. No
 * exception ever leaves a function. Texts are UTF-8 and end with a zero byte. A pointer that a function
 * writes is NULL if it failed. Handles are freed by their own function, which takes NULL too.
 *
 * Models never change: any number of threads may use one at once. A stream is for one thread at a time, and
 * keeps its model alive by itself. Structs that the library gives out may get more fields at their end, but
 * t2v_choice and t2v_feature, which come in arrays, never change. */

/* NOLINTBEGIN(modernize-*): this is C */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "t2v/export.h"
#include "t2v/version.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum t2v_status {
  T2V_OK = 0,
  T2V_REFUSED = 1,   /* a file, an option, an event or a time cannot be used; the message says why */
  T2V_NO_MEMORY = 2, /* there is not enough */
  T2V_FAULT = 3      /* an error of the library, or NULL for what is needed */
} t2v_status;

/* What went wrong in the last call of this thread that failed, what was seen and what to do; "" if none did.
 * Good until the next call that fails on this thread. */
T2V_API const char* t2v_last_error(void);

/* The version of the library that is loaded, "major.minor.patch"; T2V_VERSION is that of this header. */
T2V_API const char* t2v_version(void);

/* --- The layer alone --- */

typedef enum t2v_activation {
  T2V_SIN = 0,
  T2V_COS = 1,
  T2V_TRIANGLE = 2,
  T2V_MOD = 3,
  T2V_SIGMOID = 4,
  T2V_TANH = 5,
  T2V_RELU = 6
} t2v_activation;

/* The vectors of `count` times: value [count, width], entry i being F(omega[i] t + phi[i]), but entry 0, if
 * `linear` is not 0, omega[0] t + phi[0] itself. omega and phi are [width]. See t2v/time2vec.h for the range
 * in which phases are exact; beyond it this is T2V_REFUSED. slope, unless NULL, gets the derivatives of F in
 * the same shape, which t2v_backward needs. */
T2V_API t2v_status t2v_forward(float* value, float* slope, t2v_activation activation, int linear,
                               const double* omega, const double* phi, int64_t width, const double* times,
                               int64_t count);

/* From the gradient of a loss by the vectors, dvalue [count, width], to those by the weights, which are added
 * to domega and dphi, [width] each. */
T2V_API t2v_status t2v_backward(double* domega, double* dphi, const float* dvalue, const float* slope,
                                int64_t width, const double* times, int64_t count);

/* --- Trained models --- */

typedef struct t2v_model t2v_model;

T2V_API t2v_status t2v_model_load(const char* path, t2v_model** model);
/* Writes one, atomically. */
T2V_API t2v_status t2v_model_save(const t2v_model* model, const char* path);

/* An option by its name in docs/options.md: {"task", "next"}, {"query_time", "true"}. Lists have commas. */
typedef struct t2v_setting {
  const char* name;
  const char* value;
} t2v_setting;

/* Reads tables, or one event store, and learns a model as 't2v train' does. threads: 0 = one per core; the
 * result does not depend on it. */
T2V_API t2v_status t2v_train(const char* const* files, size_t file_count, const t2v_setting* settings,
                             size_t setting_count, int threads, t2v_model** model);
T2V_API void t2v_model_free(t2v_model* model);

/* classify, next, recommend, regress or forecast. Good while the model lives. */
T2V_API const char* t2v_model_task(const t2v_model* model);
/* Of its times: s, min, h, d, w, or 1 for plain numbers. */
T2V_API const char* t2v_model_unit(const t2v_model* model);
/* Whether predictions of what comes next need its time: 1 or 0. */
T2V_API int t2v_model_needs_time(const t2v_model* model);

/* Vectors of times, which are in units of the model and from its origin. input: start, gap, query, until,
 * since, or NULL for the first that the model has. */
T2V_API t2v_status t2v_model_width(const t2v_model* model, const char* input, int64_t* width);
/* vectors [count, width]. */
T2V_API t2v_status t2v_model_encode(const t2v_model* model, const char* input, const double* times,
                                    int64_t count, float* vectors);

/* --- Predictions --- */

/* Predictions have arrays of these, so this struct stays as it is for ever. */
typedef struct t2v_choice {
  const char* name; /* of a class or a type of event */
  double probability;
} t2v_choice;

/* What a model says in one place. Only what it predicts is there. */
typedef struct t2v_prediction {
  const char* id;            /* of the sequence */
  const char* time;          /* of the event it was made at; "" if not known */
  const char* at;            /* the time that was asked about; "" if none was */
  const t2v_choice* choices; /* most probable first */
  size_t choice_count;
  int has_value;
  double value; /* in the unit of the data */
  int has_when;
  double when_p10; /* time until the next event, in units of the model */
  double when_median;
  double when_p90;
  double when_mean; /* may be infinite */
  /* The same as dates, where times are dates; else "". */
  const char* when_p10_at;
  const char* when_median_at;
  const char* when_p90_at;
  const char* when_mean_at;
} t2v_prediction;

typedef struct t2v_predictions t2v_predictions;

/* Start from T2V_PREDICT_OPTIONS, which has the defaults. */
typedef struct t2v_predict_options {
  size_t size;           /* of this struct, so that it can grow */
  int64_t top;           /* choices of each prediction */
  const char* const* at; /* times to predict for, for models that need it */
  size_t at_count;
  const double* after; /* or so long after the last event of each sequence, in units of the model */
  size_t after_count;
  int every_event; /* after every event, not the last of each sequence alone */
  int threads;     /* 0: one a core */
} t2v_predict_options;
#define T2V_PREDICT_OPTIONS \
  { sizeof(t2v_predict_options), 5, NULL, 0, NULL, 0, 0, 0 }

/* Reads tables, or one event store, and predicts. options may be NULL. */
T2V_API t2v_status t2v_model_predict(const t2v_model* model, const char* const* files, size_t file_count,
                                     const t2v_predict_options* options, t2v_predictions** predictions);
T2V_API size_t t2v_predictions_count(const t2v_predictions* predictions);
/* NULL beyond the last. Good while the predictions live. */
T2V_API const t2v_prediction* t2v_predictions_get(const t2v_predictions* predictions, size_t i);
T2V_API void t2v_predictions_free(t2v_predictions* predictions);

/* --- Streams: one event at a time --- */

typedef struct t2v_stream t2v_stream;

/* A further column of an event: a number, or, if text is not NULL, a category. A name that is none of the
 * model's is refused. Events have arrays of these, so this struct stays as it is for ever. */
typedef struct t2v_feature {
  const char* name;
  double number;
  const char* text;
} t2v_feature;

/* Start from T2V_EVENT, which is empty. */
typedef struct t2v_event {
  size_t size;      /* of this struct, so that it can grow */
  const char* id;   /* of its sequence */
  const char* time; /* 2024-05-01T08:00:00Z, or a number */
  const char* type; /* NULL for none */
  const t2v_feature* features;
  size_t feature_count;
  const char* at; /* the time to predict for, or NULL */
  double value;   /* a number of the event, which may be predicted; NaN for none */
} t2v_event;
#define T2V_EVENT \
  { sizeof(t2v_event), NULL, NULL, NULL, NULL, 0, NULL, NAN }

/* What became of an event. */
typedef struct t2v_reply {
  int taken;                        /* 0: it was late and is left out */
  int late;                         /* earlier than the last one of its sequence */
  int unknown;                      /* its type, or a category, is one that the model has not met */
  const t2v_prediction* prediction; /* NULL unless there is one */
} t2v_reply;

/* max_sequences are remembered at once (0: 100,000); top choices are given (0: 5). */
T2V_API t2v_status t2v_stream_open(const t2v_model* model, int64_t max_sequences, int64_t top,
                                   t2v_stream** stream);
T2V_API void t2v_stream_free(t2v_stream* stream);

/* Takes an event and predicts. An event that is refused changes nothing. The reply is good until the next
 * call with this stream. */
T2V_API t2v_status t2v_stream_push(t2v_stream* stream, const t2v_event* event, const t2v_reply** reply);
/* What the model says of a time, without an event: for models that need it. */
T2V_API t2v_status t2v_stream_predict(t2v_stream* stream, const char* id, const char* at,
                                      const t2v_reply** reply);

/* Writes all that a stream knows as one file, atomically; goes on from such a file before the first event. */
T2V_API t2v_status t2v_stream_save(const t2v_stream* stream, const char* path);
T2V_API t2v_status t2v_stream_restore(t2v_stream* stream, const char* path);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-*) */
