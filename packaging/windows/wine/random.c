/* bcryptprimitives.dll: libraries written in Rust ask it for random numbers. Wine 8 has no such file. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID place, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE place, SIZE_T length) {
    return SystemFunction036(place, (ULONG)length);
}
