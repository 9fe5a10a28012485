#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace t2v::paper {

/// A curve of Recall@10 over epochs, read off a figure of the paper.
struct PublishedRecall {
  std::string_view data;    // lastfm, citeulike
  std::string_view figure;  // such as 1d
  std::string_view model;   // such as LSTM+T
  std::vector<double> values;
};

/// The epochs of all curves.
std::span<const double> published_recall_epochs();

/// Figs. 1d, 1e, 2 and 5d. The paper prints no numbers: these were digitised from pictures of its figures,
/// within about ±0.001 (Last.FM) and ±0.002 (CiteULike). Its curves of MRR@10 and of other numbers of sines
/// are not to be had.
const std::vector<PublishedRecall>& published_recalls();

/// Null if there is none.
const PublishedRecall* published_recall(std::string_view data, std::string_view model);

}  // namespace t2v::paper
