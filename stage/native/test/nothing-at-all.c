/* A program that does nothing, to be built in ways that matter before it has begun. */
int main(void) { return 0; }
