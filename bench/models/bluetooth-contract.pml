/* The Bluetooth driver at contract level: every edge of drivers/bluetooth/bluetooth.contract is a
   step, every assertion is checked as long as its state is occupied. */
int pendingIO = 1;
bool stoppingFlag, stoppingEvent, stopped;

proctype PnpAdd() {
Start:   atomic { pendingIO++; goto Entered };
Entered: if
         :: !stoppingFlag -> goto Working
         :: stoppingFlag -> goto Leaving
         fi;
Working: if
         :: atomic { stopped -> assert(false) }
         :: goto Leaving
         fi;
Leaving: atomic { pendingIO--; goto Left };
Left:    if
         :: pendingIO != 0 -> goto Done
         :: pendingIO == 0 -> goto Last
         fi;
Last:    stoppingEvent = true;
Done:    skip
}

proctype PnpStop() {
Start:     stoppingFlag = true;
Announced: pendingIO--;
Left:      if
           :: pendingIO != 0 -> goto Waiting
           :: pendingIO == 0 -> goto Last
           fi;
Last:      stoppingEvent = true;
Waiting:   stoppingEvent;
Freeing:   stopped = true;
Done:      skip
}

init {
  byte i;
  atomic {
    run PnpStop();
    for (i : 1 .. WORKERS) { run PnpAdd() }
  }
}
