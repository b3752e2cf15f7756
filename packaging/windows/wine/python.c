/* python.exe and, with WINDOWED, pythonw.exe: the interpreter itself is in python311.dll. */
#include <wchar.h>
#include <windows.h>

__declspec(dllimport) int Py_Main(int count, wchar_t **arguments);

#ifdef WINDOWED
int WINAPI wWinMain(HINSTANCE program, HINSTANCE before, LPWSTR line, int show) {
    return Py_Main(__argc, __wargv);
}
#else
int wmain(int count, wchar_t **arguments) {
    return Py_Main(count, arguments);
}
#endif
