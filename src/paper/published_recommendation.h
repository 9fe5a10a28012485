#pragma once

#include <string_view>
#include <vector>

#include "paper/published.h"

namespace t2v::paper {

/// The curves of Recall@10 in Figs. 1d, 1e, 2 and 5d, data sets `lastfm` and `citeulike`. Read off pictures
/// of the figures, within about ±0.001 (Last.FM) and ±0.002 (CiteULike). The paper's curves of MRR@10 and of
/// other numbers of sines are not to be had.
const std::vector<PublishedCurve>& published_recommendations();

/// The curve of a model on a data set; null if there is none.
const PublishedCurve* published_recommendation(std::string_view data, std::string_view model);

}  // namespace t2v::paper
