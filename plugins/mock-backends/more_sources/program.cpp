/// A program, where a shared object is expected.

int main() {
  return 0;
}
