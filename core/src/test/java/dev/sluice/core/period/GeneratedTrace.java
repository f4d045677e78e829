package dev.sluice.core.period;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * An invented recording of a job's I/O, and what its period is.
 *
 * @param flows in the order of their beginnings
 * @param periodSeconds the mean spacing of the phases, the latest one if it changed, the short one
 *     if a longer one rides on it; not a number if there is none
 * @param endSeconds when the recording ends
 */
record GeneratedTrace(Kind kind, List<Flow> flows, double periodSeconds, double endSeconds) {
  private static final double NANOS = 1e9;

  /** Bytes that flow evenly for a while. */
  record Flow(double fromSeconds, double toSeconds, double bytesPerSecond) {}

  /** What kind of job it is. */
  enum Kind {
    CLEAN(true),
    JITTERED(true),
    FRAGMENTED(true),
    NOISY(true),
    NESTED(true),
    CHANGED(true),
    CONTENDED(true),
    MISSING(true),
    DRIFTING(true),
    BACKGROUND(true),
    STARTING(true),
    RAMPING(true),
    REQUESTS(true),
    POISSON(false),
    POISSON_VOLUMES(false),
    HEAVY_TAILED(false),
    UNLIKE(false),
    STEADY(false),
    WHITE_NOISE(false),
    RANDOM_WALK(false),
    SOLITARY(false);

    final boolean periodic;

    Kind(boolean periodic) {
      this.periodic = periodic;
    }
  }

  /** A random job of a kind. */
  static GeneratedTrace of(Kind kind, RandomGenerator random) {
    double period = Math.exp(random.nextDouble(Math.log(1), Math.log(600)));
    return new Maker(random, period).make(kind);
  }

  /** Whether an answer of so many seconds is right. */
  boolean isRight(double seconds) {
    return Math.abs(seconds / periodSeconds - 1) <= 0.15;
  }

  /** Feeds what began before a moment. */
  void feed(PeriodDetector detector, double untilSeconds) {
    for (Flow flow : flows) {
      double to = Math.min(flow.toSeconds, untilSeconds);
      long from = Math.round(flow.fromSeconds * NANOS);
      long until = Math.round(to * NANOS);
      if (until > from) {
        detector.feed(from, until, Math.round(flow.bytesPerSecond * (to - flow.fromSeconds)));
      }
    }
  }

  /** What a detector says at a moment that has been told of everything before it. */
  PeriodAnswer answerAt(double seconds) {
    PeriodDetector detector = new PeriodDetector();
    feed(detector, seconds);
    detector.checkInvariants();
    return detector.answer(Math.round(seconds * NANOS));
  }

  private static final class Maker {
    private static final double RATE = 1e9;

    private final RandomGenerator random;
    private final double period;
    private final List<Flow> flows = new ArrayList<>();

    Maker(RandomGenerator random, double period) {
      this.random = random;
      this.period = period;
    }

    GeneratedTrace make(Kind kind) {
      return switch (kind) {
        case CLEAN -> evenly(kind, cycles(4, 30), random.nextDouble(0, 0.05), duty());
        case JITTERED -> evenly(kind, cycles(5, 30), random.nextDouble(0.05, 0.25), duty());
        case FRAGMENTED -> fragmented(kind);
        case NOISY -> noisy(kind);
        case NESTED -> nested(kind);
        case CHANGED -> changed(kind);
        case CONTENDED -> contended(kind);
        case MISSING -> missing(kind);
        case DRIFTING -> drifting(kind);
        case BACKGROUND -> background(kind);
        case STARTING -> starting(kind);
        case RAMPING -> ramping(kind);
        case REQUESTS -> requests(kind);
        case POISSON -> random(kind, false);
        case POISSON_VOLUMES -> random(kind, true);
        case HEAVY_TAILED -> heavyTailed(kind);
        case UNLIKE -> unlike(kind);
        case STEADY -> steady(kind);
        case WHITE_NOISE -> whiteNoise(kind);
        case RANDOM_WALK -> randomWalk(kind);
        case SOLITARY -> solitary(kind);
      };
    }

    private int cycles(int min, int max) {
      return random.nextInt(min, max + 1);
    }

    private double duty() {
      return random.nextDouble(0.03, 0.3);
    }

    /** The length of one cycle. */
    private double cycle(double mean, double jitter) {
      return mean * Math.max(0.3, 1 + jitter * random.nextGaussian());
    }

    private void burst(double from, double seconds) {
      flows.add(new Flow(from, from + seconds, RATE));
    }

    private double exponential(double mean) {
      return -mean * Math.log(1 - random.nextDouble());
    }

    private double logNormal(double sigma) {
      return Math.exp(sigma * random.nextGaussian());
    }

    private GeneratedTrace done(Kind kind, double seconds) {
      double end = flows.stream().mapToDouble(Flow::toSeconds).max().orElse(0);
      flows.sort(Comparator.comparingDouble(Flow::fromSeconds));
      return new GeneratedTrace(kind, List.copyOf(flows), seconds, end);
    }

    private GeneratedTrace evenly(Kind kind, int bursts, double jitter, double duty) {
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        burst(at, period * duty * random.nextDouble(0.8, 1.2));
        at += i < bursts - 1 ? cycle(period, jitter) : 0;
      }
      return done(kind, at / (bursts - 1));
    }

    private GeneratedTrace fragmented(Kind kind) {
      int bursts = cycles(4, 20);
      int fragments = random.nextInt(5, 40);
      double duty = random.nextDouble(0.05, 0.35);
      double jitter = random.nextDouble(0, 0.1);
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        double begin = at;
        for (int f = 0; f < fragments; f++) {
          double slot = period * duty / fragments;
          double from = begin + slot * (f + (f == 0 ? 0 : random.nextDouble(0, 0.5)));
          double length = slot * random.nextDouble(0.02, 0.5);
          flows.add(new Flow(from, from + length, RATE * random.nextDouble(0.5, 1.5)));
        }
        at += i < bursts - 1 ? cycle(period, jitter) : 0;
      }
      return done(kind, at / (bursts - 1));
    }

    private GeneratedTrace noisy(Kind kind) {
      GeneratedTrace clean = evenly(kind, cycles(5, 20), random.nextDouble(0, 0.08), 0.1);
      double perCycle = random.nextDouble(1, 12);
      double level = random.nextDouble(0.05, 1);
      for (double t = exponential(period / perCycle);
          t < clean.endSeconds;
          t += exponential(period / perCycle)) {
        flows.add(new Flow(t, t + exponential(period * 0.05 / perCycle), RATE * level));
      }
      return done(kind, clean.periodSeconds);
    }

    private GeneratedTrace nested(Kind kind) {
      int every = random.nextInt(3, 11);
      int bursts = every * cycles(2, 4);
      double jitter = random.nextDouble(0, 0.06);
      double small = period * random.nextDouble(0.02, 0.08);
      double large = period * random.nextDouble(0.25, 0.5);
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        burst(at, i % every == every - 1 ? large : small);
        at += i < bursts - 1 ? cycle(period, jitter) : 0;
      }
      return done(kind, at / (bursts - 1));
    }

    private GeneratedTrace changed(Kind kind) {
      int before = cycles(4, 15);
      int after = cycles(4, 8);
      double factor = Math.exp(random.nextDouble(Math.log(1.4), Math.log(10)));
      double other = random.nextBoolean() ? period * factor : period / factor;
      double jitter = random.nextDouble(0, 0.05);
      double length = Math.min(period, other) * random.nextDouble(0.05, 0.2);
      double at = 0;
      for (int i = 0; i < before; i++) {
        burst(at, length);
        at += cycle(other, jitter);
      }
      for (int i = 0; i <= after; i++) {
        burst(at, length);
        at += cycle(period, jitter);
      }
      return done(kind, period);
    }

    /** Beside others a burst takes as long as they leave it, and the next cycle starts after it. */
    private GeneratedTrace contended(Kind kind) {
      int bursts = cycles(5, 20);
      double compute = period * 0.8;
      double spread = random.nextDouble(0.3, 0.9);
      double at = 0;
      double last = 0;
      for (int i = 0; i < bursts; i++) {
        double length = period * 0.2 * logNormal(spread);
        flows.add(new Flow(at, at + length, RATE * period / length));
        last = at;
        at += length + cycle(compute, 0.02);
      }
      return done(kind, last / (bursts - 1));
    }

    private GeneratedTrace missing(Kind kind) {
      int bursts = cycles(10, 30);
      double jitter = random.nextDouble(0, 0.08);
      double lost = random.nextDouble(0.03, 0.15);
      double length = period * duty();
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        if (i == 0 || random.nextDouble() >= lost) {
          burst(at, length);
        }
        at += cycle(period, jitter);
      }
      return done(kind, at / bursts);
    }

    /**
     * The cycles become longer or shorter little by little; what counts is how long they are now.
     */
    private GeneratedTrace drifting(Kind kind) {
      int bursts = cycles(8, 30);
      double growth = random.nextDouble(-0.03, 0.03);
      double jitter = random.nextDouble(0, 0.06);
      double cycle = period;
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        burst(at, period * 0.08);
        at += cycle(cycle, jitter);
        cycle *= 1 + growth;
      }
      return done(kind, cycle);
    }

    private GeneratedTrace background(Kind kind) {
      GeneratedTrace clean =
          evenly(kind, cycles(5, 20), random.nextDouble(0, 0.1), random.nextDouble(0.05, 0.3));
      double level = random.nextDouble(0.02, 0.4);
      double step = period / 20;
      for (double t = 0; t < clean.endSeconds; t += step) {
        flows.add(new Flow(t, t + step, RATE * level * random.nextDouble(0.7, 1.3)));
      }
      return done(kind, clean.periodSeconds);
    }

    /** First the input is read, and computing begins late. */
    private GeneratedTrace starting(Kind kind) {
      double begin = period * random.nextDouble(0.5, 6);
      double at = begin;
      burst(0, begin * random.nextDouble(0.1, 0.8));
      int bursts = cycles(5, 20);
      double jitter = random.nextDouble(0, 0.08);
      for (int i = 0; i < bursts; i++) {
        burst(at, period * 0.1);
        at += i < bursts - 1 ? cycle(period, jitter) : 0;
      }
      return done(kind, (at - begin) / (bursts - 1));
    }

    /** Phases that fade out until hardly any time is left before the next one. */
    private GeneratedTrace ramping(Kind kind) {
      int bursts = cycles(5, 20);
      double jitter = random.nextDouble(0, 0.08);
      double idle = random.nextDouble(0.02, 0.2);
      double at = 0;
      double last = 0;
      for (int i = 0; i < bursts; i++) {
        double cycle = cycle(period, jitter);
        double step = cycle * (1 - idle) / 6;
        for (int s = 0; s < 6; s++) {
          flows.add(new Flow(at + s * step, at + (s + 1) * step, RATE * (6 - s) / 6));
        }
        last = at;
        at += cycle;
      }
      return done(kind, last / (bursts - 1));
    }

    /** Phases of single requests at even distances, as a server sees them. */
    private GeneratedTrace requests(Kind kind) {
      int bursts = cycles(4, 12);
      int requests = random.nextInt(3, 300);
      double spacing = period * random.nextDouble(0.05, 0.3) / requests;
      double jitter = random.nextDouble(0, 0.08);
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        for (int r = 0; r < requests; r++) {
          double from = at + r * spacing;
          flows.add(new Flow(from, from + Math.min(spacing / 10, 1e-4), RATE));
        }
        at += i < bursts - 1 ? cycle(period, jitter) : 0;
      }
      return done(kind, at / (bursts - 1));
    }

    private GeneratedTrace random(Kind kind, boolean volumes) {
      int bursts = cycles(5, 40);
      double at = 0;
      double last = 0;
      for (int i = 0; i < bursts; i++) {
        double length = period * 0.05 * (volumes ? logNormal(1) : 1);
        burst(at, length);
        last = at;
        at += Math.max(length, exponential(period));
      }
      return done(kind, last / (bursts - 1));
    }

    private GeneratedTrace heavyTailed(Kind kind) {
      int bursts = cycles(5, 40);
      double sigma = random.nextDouble(1, 2);
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        burst(at, period * 0.02 * logNormal(sigma));
        at += period * logNormal(sigma);
      }
      return done(kind, Double.NaN);
    }

    /** A few phases of different lengths with pauses of different lengths, as of a work flow. */
    private GeneratedTrace unlike(Kind kind) {
      int bursts = cycles(3, 12);
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        double length = period * random.nextDouble(0.1, 2);
        flows.add(new Flow(at, at + length, RATE * random.nextDouble(0.1, 1)));
        at += length + period * Math.exp(random.nextDouble(Math.log(0.05), Math.log(5)));
      }
      return done(kind, Double.NaN);
    }

    private GeneratedTrace steady(Kind kind) {
      double seconds = period * random.nextDouble(1, 20);
      flows.add(new Flow(0, seconds, RATE));
      return done(kind, Double.NaN);
    }

    private GeneratedTrace whiteNoise(Kind kind) {
      int steps = random.nextInt(50, 1000);
      double step = period / 10;
      for (int i = 0; i < steps; i++) {
        double load = Math.abs(random.nextGaussian());
        flows.add(new Flow(i * step, (i + 1) * step, RATE * load));
      }
      return done(kind, Double.NaN);
    }

    private GeneratedTrace randomWalk(Kind kind) {
      int steps = random.nextInt(50, 1000);
      double step = period / 10;
      double load = 1;
      for (int i = 0; i < steps; i++) {
        load = Math.max(0, load + 0.2 * random.nextGaussian());
        if (load > 0) {
          flows.add(new Flow(i * step, (i + 1) * step, RATE * load));
        }
      }
      return done(kind, Double.NaN);
    }

    private GeneratedTrace solitary(Kind kind) {
      int bursts = cycles(1, 3);
      double at = 0;
      for (int i = 0; i < bursts; i++) {
        burst(at, period * random.nextDouble(0.05, 0.3));
        at += period;
      }
      return done(kind, Double.NaN);
    }
  }
}
