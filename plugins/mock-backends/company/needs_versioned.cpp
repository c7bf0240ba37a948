/// Makes the file need the library of versioned.cpp.

extern "C" int MockVersioned();

extern int (*mock_versioned_address)();
int (*mock_versioned_address)() = MockVersioned;
