/* The battery driver at contract level: every edge of drivers/battery/battery.contract is a step,
   every assertion is checked as long as its state is occupied. */
int WorkerActive, NumQueuedWorkers;
int InUseCount = 2;
bool WantToRemove, ReadyToRemove, stopped;

inline dropLast() {
  ReadyToRemove = (ReadyToRemove || InUseCount == 1);
  InUseCount--
}

proctype Worker() {
Idle:     atomic { NumQueuedWorkers > 0 -> NumQueuedWorkers--; goto Running };
Running:  if
          :: atomic { stopped || WorkerActive <= 0 -> assert(false) }
          :: WantToRemove -> goto Removing
          :: atomic { InUseCount++; goto Using }
          :: atomic { WorkerActive == 1 -> WorkerActive = 0; goto Gone }
          :: atomic { WorkerActive > 1 -> WorkerActive--; goto Again }
          fi;
Using:    if
          :: atomic { stopped -> assert(false) }
          :: atomic { InUseCount--; goto Used }
          fi;
Used:     if
          :: atomic { stopped || WorkerActive <= 0 -> assert(false) }
          :: atomic { WorkerActive == 1 -> WorkerActive = 0; goto Gone }
          :: atomic { WorkerActive > 1 -> WorkerActive--; goto Again }
          fi;
Again:    if
          :: atomic { stopped -> assert(false) }
          :: atomic { WorkerActive = 1; goto Running }
          fi;
Removing: if
          :: atomic { stopped -> assert(false) }
          :: d_step { dropLast() }
          fi;
Gone:     skip
}

proctype Unload() {
Start:     if
           :: atomic { stopped -> assert(false) }
           :: WantToRemove = true
           fi;
Announced: if
           :: atomic { stopped -> assert(false) }
           :: atomic { WorkerActive == 0 -> WorkerActive = 1; goto Alone }
           :: atomic { WorkerActive != 0 -> WorkerActive++; goto Leaving }
           fi;
Alone:     if
           :: atomic { stopped -> assert(false) }
           :: d_step { dropLast() }
           :: NumQueuedWorkers++
           fi;
Leaving:   if
           :: atomic { stopped -> assert(false) }
           :: atomic { InUseCount > 1 -> InUseCount--; goto Waiting }
           :: atomic { InUseCount <= 1 -> InUseCount--; goto Freeing }
           fi;
Waiting:   if
           :: atomic { stopped -> assert(false) }
           :: ReadyToRemove
           fi;
Freeing:   if
           :: atomic { stopped -> assert(false) }
           :: stopped = true
           fi
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
