# Letting other threads have the processor for a moment.

cdef extern from * nogil:
    """
    #ifdef _WIN32
    #include <windows.h>
    static void let_others_run(void) { SwitchToThread(); }
    #else
    #include <sched.h>
    static void let_others_run(void) { sched_yield(); }
    #endif
    """
    void let_others_run() noexcept
