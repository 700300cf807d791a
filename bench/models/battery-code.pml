/* The battery driver at code level: every shared access of drivers/battery/battery.c is a step, with
   the local work after it; the local is cleared when it is no longer needed. */
int WorkerActive, NumQueuedWorkers;
int InUseCount = 2;
bool WantToRemove, ReadyToRemove, stopped;

inline dropReference() {
  d_step { InUseCount--; if :: InUseCount == 0 -> ReadyToRemove = true :: else fi }
}

proctype Unload() {
  bool alone, waits;
  assert(!stopped);
  WantToRemove = true;
  assert(!stopped);
  d_step { WorkerActive++; alone = (WorkerActive == 1) };
  if
  :: alone ->
     assert(!stopped);
     if
     :: dropReference()
     :: NumQueuedWorkers++
     fi
  :: else
  fi;
  assert(!stopped);
  d_step { InUseCount--; waits = (0 < InUseCount); alone = false };
  if
  :: waits -> assert(!stopped); ReadyToRemove
  :: else
  fi;
  assert(!stopped);
  stopped = true
}

proctype Worker() {
  bool leaves, more;
  atomic { NumQueuedWorkers > 0 -> NumQueuedWorkers-- };
  do
  :: leaves -> break
  :: else ->
     assert(!stopped);
     if
     :: WantToRemove -> d_step {
          InUseCount--;
          if :: InUseCount == 0 -> ReadyToRemove = true :: else fi;
          leaves = true
        }
     :: else ->
        if
        :: InUseCount++; assert(!stopped); InUseCount--
        :: skip
        fi;
        assert(!stopped);
        d_step {
          WorkerActive--;
          leaves = (WorkerActive == 0);
          more = (WorkerActive > 1)
        };
        if
        :: more -> assert(!stopped); d_step { WorkerActive = 1; more = false }
        :: else
        fi
     fi
  od
}

init {
  byte i;
  atomic {
    if
    :: WorkerActive = 0
    :: WorkerActive = 1; NumQueuedWorkers = 1
    :: WorkerActive = 2; NumQueuedWorkers = 1
    :: WorkerActive = 3; NumQueuedWorkers = 1
    fi;
    run Unload();
    for (i : 1 .. WORKERS) { run Worker() }
  }
}
