/* The library from C: loads a model, makes vectors of times, predicts from a table and from events as they
 * come.
 *   example_c_client cafe.t2v examples/cafe.csv */
#include <stdio.h>
#include <stdlib.h>

#include "t2v/c.h"

static void check(t2v_status status) {
  if (status == T2V_OK) return;
  fprintf(stderr, "%s\n", t2v_last_error());
  exit(1);
}

static void show(const t2v_prediction* said) {
  printf("%s:", said->id);
  for (size_t i = 0; i < said->choice_count; ++i) {
    printf(" %s %.2f", said->choices[i].name, said->choices[i].probability);
  }
  printf("\n");
}

static void encode(const t2v_model* model) {
  const double times[] = {0, 0.5, 1e6};
  int64_t width = 0;
  check(t2v_model_width(model, NULL, &width));
  float* vectors = malloc(3 * (size_t)width * sizeof(float));
  if (vectors == NULL) exit(1);
  check(t2v_model_encode(model, NULL, times, 3, vectors));
  printf("vectors of %d numbers\n", (int)width);
  free(vectors);
}

static void predict(const t2v_model* model, const char* table) {
  const double later[] = {1};
  t2v_predict_options options = T2V_PREDICT_OPTIONS;
  t2v_predictions* predictions = NULL;
  options.top = 2;
  if (t2v_model_needs_time(model)) {
    options.after = later;
    options.after_count = 1;
  }
  check(t2v_model_predict(model, &table, 1, &options, &predictions));
  printf("%d predictions\n", (int)t2v_predictions_count(predictions));
  show(t2v_predictions_get(predictions, 0));
  t2v_predictions_free(predictions);
}

static void stream(const t2v_model* model) {
  t2v_stream* stream = NULL;
  const t2v_reply* reply = NULL;
  t2v_event event = T2V_EVENT;
  check(t2v_stream_open(model, 0, 2, &stream));
  event.id = "a new guest";
  event.time = "2024-05-01T08:00:00Z";
  event.type = "tea";
  event.at = "2024-05-02T08:00:00Z";
  check(t2v_stream_push(stream, &event, &reply));
  if (reply->prediction != NULL) show(reply->prediction);
  t2v_stream_free(stream);
}

int main(int argc, char** argv) {
  t2v_model* model = NULL;
  if (argc != 3) {
    fprintf(stderr, "usage: %s MODEL TABLE\n", argv[0]);
    return 2;
  }
  check(t2v_model_load(argv[1], &model));
  printf("time2vec %s, task %s, times in %s\n", t2v_version(), t2v_model_task(model), t2v_model_unit(model));
  encode(model);
  predict(model, argv[2]);
  stream(model);
  t2v_model_free(model);
  return 0;
}
