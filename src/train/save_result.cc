#include "train/save_result.h"

#include "t2v/error.h"

namespace t2v {

std::string save_result(FileSystem& files, const std::string& path, const TrainedModel& model,
                        const std::string& checkpoint_path) {
  write_model(files, path, model);
  try {
    remove_file(files, checkpoint_path);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace t2v
