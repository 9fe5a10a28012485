#pragma once

/* Marks what libtime2vec.so offers; everything else in it is hidden. */
#define T2V_API __attribute__((visibility("default")))
