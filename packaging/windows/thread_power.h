/* What ggml uses of Windows 11, and mingw-w64 10 lacks; included before each C file of llama.cpp. */
typedef struct {
    unsigned long Version, ControlMask, StateMask;
} THREAD_POWER_THROTTLING_STATE;

#define THREAD_POWER_THROTTLING_CURRENT_VERSION 1
#define THREAD_POWER_THROTTLING_EXECUTION_SPEED 1
