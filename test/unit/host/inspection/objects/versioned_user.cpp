// Needs symbols of two versions of one library.
extern "C" int VersionedOne();
extern "C" int VersionedTwo();

extern "C" __attribute__((visibility("default"))) int UseVersions();

int UseVersions() {
  return VersionedOne() + VersionedTwo();
}
