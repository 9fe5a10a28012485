#pragma once

#include <string>

#include "base/file_system.h"
#include "model/trained_model.h"

namespace t2v {

/// The end of a run: writes the model, and when it is on the disk removes the checkpoint, so that there is
/// always one of them. Throws t2v::Error if the model cannot be written. Returns why the checkpoint could not
/// be removed, which does no harm; empty if it was.
std::string save_result(FileSystem& files, const std::string& path, const TrainedModel& model,
                        const std::string& checkpoint_path);

}  // namespace t2v
