#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "base/packed_batch.h"
#include "model/model.h"

namespace t2v {

/// One event as a model sees it. What the model does not use is not looked at.
struct StepInput {
  int32_t event = 0;                           // its type
  std::span<const float> features = {};        // [F]
  std::array<double, kTimeInputs> times = {};  // by TimeInput, in units of the model
  std::span<const EventPart> parts = {};       // what it is the sum of, in place of the type
};

/// Takes sequences through a model one event at a time. What a sequence has been so far is its state, kept by
/// the caller; a stepper has the memory to work in, so each thread needs its own. Nothing is allocated after
/// construction.
class Stepper {
 public:
  /// Both must outlive it and stay as they are. Throws t2v::Error if not even time 0 can be encoded.
  Stepper(const Model& model, const nn::Parameters<float>& parameters);
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;

  /// Numbers of a state: for each layer c [H], then h [H]; where a head sees all states, their sum [H] and
  /// maximum [H] and how many they are. All zero before the first event.
  int64_t state_size() const;

  /// One event: changes the state. Throws t2v::Error for an event type that the model does not have and for
  /// times out of range; the state is then as it was.
  void advance(std::span<float> state, const StepInput& input);

  /// As if the event had just been taken, and had led to this state. Not for models whose heads see all
  /// states.
  void resume(std::span<const float> state, const StepInput& input);

  /// The outputs of a head after the event that was taken last; good until the next call for that head. Of a
  /// timed head those before it knows the time (Workspace::open). `past`: all types of the sequence so far,
  /// for models with rules.
  std::span<const float> outputs(std::size_t head, const RecentTypes& past = {});

 private:
  struct OfLayer {
    nn::Input::Prepared<float> input_weights;
    nn::Input::State<float> input;
    nn::Recurrent::Prepared<float> recurrent_weights;
    nn::Recurrent::State<float> recurrent;
  };

  void prepare();
  void warm_up();
  SequenceBatch batch_of(const StepInput& input);
  void run_input(float* sums, std::size_t layer, const SequenceBatch& batch, const float* base,
                 const float* below);
  void run_layer(std::size_t layer, const SequenceBatch& batch, const float* state);
  /// What heads see of the sequence, from what it is so far.
  void run_pool(float* state);

  const Model& model_;
  const nn::Parameters<float>& parameters_;
  Chunk chunk_;  // one row of one step
  std::array<int64_t, 2> part_offsets_ = {};
  nn::TimeInputs::State<float> times_;
  std::vector<OfLayer> layers_;  // one for each input of the model
  Buffer<float> base_;           // [outputs of all heads] their biases
  Buffer<float> sums_;           // the same and what goes straight to the heads
  Buffer<float> outputs_;        // [outputs of all heads]
  nn::HiddenLayer::State<float> hidden_;
  Buffer<float> open_;           // [outputs and units of the timed head]
  Buffer<float> seen_;           // [H, or kPoolParts H] what heads see of the uppermost layer
  std::vector<RuleTerm> terms_;  // of the rules
};

}  // namespace t2v
