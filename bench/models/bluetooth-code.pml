/* The Bluetooth driver at code level: every shared access and every branch is a step. */
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
  if :: stoppingFlag -> status = -1 :: else -> status = 1 fi;
  if :: status > 0 -> assert(!stopped) :: else fi;
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
