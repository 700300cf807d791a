/* The Bluetooth driver at code level: every shared access is a step, with the local work after
   it; the local is cleared when it is no longer needed. */
int pendingIO = 1;
bool stoppingFlag, stoppingEvent, stopped;

proctype PnpStop() {
  stoppingFlag = true;
  pendingIO--;
  if :: pendingIO == 0 -> stoppingEvent = true :: else fi;
  stoppingEvent;
  stopped = true
}

proctype PnpAdd() {
  short status;
  pendingIO++;
  atomic { if :: stoppingFlag -> status = -1 :: else -> status = 1 fi };
  atomic { if :: status > 0 -> assert(!stopped) :: else fi; status = 0 };
  pendingIO--;
  if :: pendingIO == 0 -> stoppingEvent = true :: else fi
}

init {
  byte i;
  atomic {
    run PnpStop();
    for (i : 1 .. WORKERS) { run PnpAdd() }
  }
}
