package dev.sluice.papers.sdqpro;

/** Table II: what the twenty applications desire, and what the paper's three systems gave them. */
final class Desired {
  static final int APPLICATIONS = 20;

  private static final int[] MEGABYTES_PER_SECOND = {
    1103, 1467, 2164, 2755, 4874, 6156, 17843, 18577, 19144, 19278, 20740, 21322, 25081, 26634,
    30748, 31650, 34173, 34985, 35386, 36894
  };

  private static final int[] WITH_BORROWING = {
    1057, 1432, 2056, 2650, 4600, 5937, 17600, 18437, 18796, 19100, 20598, 21154, 24325, 25876,
    29876, 29876, 33121, 33725, 34877, 35579
  };

  private Desired() {}

  /** What an application desires, in MB/s. */
  static int of(int application) {
    return MEGABYTES_PER_SECOND[application];
  }

  /** What an application got by borrowing in the paper, in MB/s. */
  static int borrowingInThePaper(int application) {
    return WITH_BORROWING[application];
  }

  /** What all desire, in MB/s. */
  static long sum() {
    long sum = 0;
    for (int each : MEGABYTES_PER_SECOND) {
      sum += each;
    }
    return sum;
  }
}
