// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <assert.h>
#include <pthread.h>

#define ROUNDS 500

typedef void *(*Body)(void *);

// Runs the bodies at the same time, at most eight, and waits for all of them.
static void together(const Body *bodies, int count) {
  pthread_t threads[8];
  assert(count <= 8);
  for (int i = 0; i < count; i++) {
    int failed = pthread_create(&threads[i], NULL, bodies[i], NULL);
    assert(!failed);
  }
  for (int i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
}
