#pragma once

#include <cstdint>

#include "kernels/by_type.h"
#include "kernels/scalar_math.h"

namespace t2v::kernels {

/// One step of a recurrent cell for `rows` sequences at once. Letters: H hidden units, G = blocks * H.
/// Column block b of `gates` holds, for each unit, the sum of all products and biases of that block.
template <class T>
struct CellForward {
  int64_t rows;
  int64_t hidden;
  T* gates;               // [rows, G] in: sums; out: what backward needs of them
  const T* vectors;       // [vectors of the cell, H], its weights per unit (peepholes)
  const T* c_prev;        // [rows, H]
  const T* h_prev;        // [rows, H]
  T* c;                   // [rows, H] out
  T* h;                   // [rows, H] out
  T* h_next = nullptr;    // [rows_next, H] out: the same again, where the next step reads it
  int64_t rows_next = 0;  // of the rows, the first ones that have a next step
  int64_t soon = 0;  // as many rows further on are the next to be worked on: a hint to fetch them; 0 for none
};

template <class T>
struct CellBackward {
  int64_t rows;
  int64_t hidden;
  T* gates;          // [rows, G] in: as forward left them; out: gradient of the sums
  const T* vectors;  // [vectors of the cell, H]
  T* dvectors;       // added to
  const T* c_prev;   // [rows, H]
  const T* h_prev;   // [rows, H]
  const T* c;        // [rows, H]
  T* dh;  // [rows, H] in: gradient of h; out, if Formula::kDirectHidden: of h_prev, past the products
  T* dc;  // [rows, H] in: gradient of c; out: of c_prev
  int64_t soon = 0;  // as for forward, but that many rows before
};

template <class T>
struct CellFunctions {
  void (*forward)(const CellForward<T>&);
  void (*backward)(const CellBackward<T>&);
};

// A formula is the arithmetic of one unit, for numbers N that may be scalars or vectors of floats:
//
//   struct Formula {
//     static constexpr int kBlocks, kVectors;
//     static constexpr bool kDirectHidden;  // h_prev acts on h other than through the products
//     template <class N>
//     static void forward(N (&a)[kBlocks], const N* p, N c_prev, N h_prev, N& c, N& h);
//     template <class N>
//     static void backward(N (&a)[kBlocks], const N* p, N* dp, N c_prev, N h_prev, N c, N& dh, N& dc);
//   };
//
// The loops over rows and units are here and, for vectors, in cell-inl.h. p has kVectors entries, at least
// one.

template <class Formula, Scalar T>
void cell_forward(const CellForward<T>& s) {
  constexpr int kBlocks = Formula::kBlocks;
  for (int64_t row = 0; row < s.rows; ++row) {
    for (int64_t j = 0; j < s.hidden; ++j) {
      T* gates = s.gates + row * kBlocks * s.hidden + j;
      const int64_t at = row * s.hidden + j;
      T a[kBlocks];
      T p[Formula::kVectors + 1];
      for (int b = 0; b < kBlocks; ++b) a[b] = gates[b * s.hidden];
      for (int v = 0; v < Formula::kVectors; ++v) p[v] = s.vectors[v * s.hidden + j];
      Formula::template forward<T>(a, p, s.c_prev[at], s.h_prev[at], s.c[at], s.h[at]);
      if (row < s.rows_next) s.h_next[at] = s.h[at];
      for (int b = 0; b < kBlocks; ++b) gates[b * s.hidden] = a[b];
    }
  }
}

template <class Formula, Scalar T>
void cell_backward(const CellBackward<T>& s) {
  constexpr int kBlocks = Formula::kBlocks;
  for (int64_t row = 0; row < s.rows; ++row) {
    for (int64_t j = 0; j < s.hidden; ++j) {
      T* gates = s.gates + row * kBlocks * s.hidden + j;
      const int64_t at = row * s.hidden + j;
      T a[kBlocks];
      T p[Formula::kVectors + 1];
      T dp[Formula::kVectors + 1];
      for (int b = 0; b < kBlocks; ++b) a[b] = gates[b * s.hidden];
      for (int v = 0; v < Formula::kVectors; ++v) {
        p[v] = s.vectors[v * s.hidden + j];
        dp[v] = s.dvectors[v * s.hidden + j];
      }
      Formula::template backward<T>(a, p, dp, s.c_prev[at], s.h_prev[at], s.c[at], s.dh[at], s.dc[at]);
      for (int v = 0; v < Formula::kVectors; ++v) s.dvectors[v * s.hidden + j] = dp[v];
      for (int b = 0; b < kBlocks; ++b) gates[b * s.hidden] = a[b];
    }
  }
}

}  // namespace t2v::kernels
