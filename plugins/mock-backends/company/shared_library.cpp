/// A library that two backends bring along, each in a build of its own.

#ifndef BACKPLANE_MOCK_BUILD
#define BACKPLANE_MOCK_BUILD 1
#endif

extern "C" __attribute__((visibility("default"))) int SharedMockFunction() {
  return BACKPLANE_MOCK_BUILD;
}

#if BACKPLANE_MOCK_BUILD > 1
extern "C" __attribute__((visibility("default"))) int NewerSharedMockFunction() {
  return BACKPLANE_MOCK_BUILD;
}
#endif
