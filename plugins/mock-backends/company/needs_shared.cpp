/// Makes the file need the library of shared_library.cpp, and what only a newer build of it has.

extern "C" int SharedMockFunction();
extern "C" int NewerSharedMockFunction();

extern int (*shared_mock_function_address)();
#ifdef BACKPLANE_MOCK_NEWER
int (*shared_mock_function_address)() = NewerSharedMockFunction;
#else
int (*shared_mock_function_address)() = SharedMockFunction;
#endif
