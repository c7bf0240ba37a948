/// Makes the file need the library of needed_library.cpp.

extern "C" void NeededMockFunction();

extern void (*needed_mock_function_address)();
void (*needed_mock_function_address)() = NeededMockFunction;
