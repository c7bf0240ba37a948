/// Makes the file need the library of crashing_library.cpp.

extern "C" void CrashingMockFunction();

extern void (*crashing_mock_function_address)();
void (*crashing_mock_function_address)() = CrashingMockFunction;
