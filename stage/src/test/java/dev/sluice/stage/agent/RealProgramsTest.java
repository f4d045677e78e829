package dev.sluice.stage.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.stage.NativeBuild;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that others wrote do the same with the library before them, and are counted. */
@Timeout(180)
class RealProgramsTest {
  private static final String SYSTEM_CALLS =
      "openat,open,creat,close,read,pread64,readv,preadv,write,pwrite64,writev,pwritev,"
          + "sendfile,splice,copy_file_range,mmap,msync,fsync,fdatasync,sync_file_range,ftruncate,"
          + "truncate,fallocate,stat,lstat,fstat,newfstatat,statx,access,faccessat,faccessat2,"
          + "chmod,"
          + "fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat,rename,renameat,renameat2,link,"
          + "linkat,symlink,symlinkat,readlink,readlinkat,unlink,unlinkat,mknod,mknodat,mkdir,"
          + "mkdirat,rmdir,getdents64,statfs,fstatfs,getxattr,lgetxattr,fgetxattr,setxattr,"
          + "lsetxattr,fsetxattr,listxattr,llistxattr,flistxattr,ioctl";

  private static final Pattern STANDING_AT = Pattern.compile("AT_FDCWD<[^>]*>, \"/");

  private static final Pattern TIMES = Pattern.compile("\\d+\\.\\d+ s|[\\d.]+ [kMG]?i?B/s");

  /** Where programs stand, so that strace names the directory only where it is meant. */
  private static final Path ELSEWHERE = Path.of("/");

  @TempDir Path temporary;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // Counted as exactly as strace does.
        "cp      | 0.03 | cp -r $M/in $M/out",
        "rsync   | 0.03 | rsync -a $M/in/ $M/out",
        "bash    | 0.03 | bash -c 'for f in $M/in/*; do cat < $f; echo x >> $M/out; done'",
        "perl    | 0.03 | perl -e 'for (glob(\"$M/in/*\")) { open F, $_; print <F>; }'",
        "dd      | 0.03 | dd if=$M/in/large of=$M/out bs=4k status=none",
        "sort    | 0.03 | sort $M/in/lines -o $M/out",
        "git     | 0.03 | git clone -q $M/repository $M/out",
        "sqlite3 | 0.03 | sqlite3 $M/out 'create table t(a); insert into t values(7); select a from"
            + " t'",
        "fio     | 0.03 | fio --name=a --filename=$M/out --size=256k --rw=randrw --ioengine=psync"
            + " --randseed=1 --output=/dev/null",
        "java    | 0.03 | java -XX:TieredStopAtLevel=1 -XX:-UsePerfData $M/in/Program.java $M/in",
        // The C library looks at what nobody asked it to look at.
        "tar     | 0.15 | tar cf $M/out -C $M in",
        "find    | 0.15 | find $M/in -name '*1*' -size +0",
        "python3 | 0.15 | python3 -c 'import os; print(sorted(os.listdir(\"$M/in\")))'",
        "make    | 0.15 | make -s M=$M -f $M/in/makefile",
        // What it starts is not counted alike everywhere.
        "gcc     | 1    | gcc -o $M/out $M/in/program.c"
      })
  void programsDoTheSameAndAreCounted(String program, double tolerance, String command)
      throws Exception {
    NativeBuild.assumeInstalled(program);
    Path plain = prepare("plain");
    NativeBuild.Ended expected = NativeBuild.run(Map.of(), ELSEWHERE, shell(plain, command));
    assertThat(expected.code()).as(expected.output()).isZero();

    Files.createDirectories(temporary.resolve("staged"));
    try (Node node = new Node(temporary.resolve("staged"), "")) {
      prepare("staged/mount");
      NativeBuild.Ended seen =
          NativeBuild.run(node.environment(), ELSEWHERE, shell(node.mount, command));

      assertThat(comparable(seen.output(), node.mount))
          .isEqualTo(comparable(expected.output(), plain));
      assertThat(seen.code()).isZero();
      assertThat(contents(node.mount)).isEqualTo(contents(plain));
      assertThat(node.calls()).isPositive();
      if (tolerance < 1) {
        double real = countWithStrace(command);
        assertThat((double) node.calls()).isBetween(real * (1 - tolerance), real * (1 + tolerance));
      }
    }
  }

  private static List<String> shell(Path mount, String command) {
    return List.of("sh", "-c", command.replace("$M", mount.toString()));
  }

  /** How many calls below the directory strace sees. */
  private double countWithStrace(String command) throws Exception {
    NativeBuild.assumeInstalled("strace");
    Path traced = prepare("traced");
    Path log = temporary.resolve("strace.log");
    List<String> strace =
        List.of(
            "strace",
            "-f",
            "-qq",
            "-y",
            "-e",
            "trace=" + SYSTEM_CALLS,
            "-e",
            "signal=none",
            "-o",
            log.toString());
    List<String> all = Stream.concat(strace.stream(), shell(traced, command).stream()).toList();
    NativeBuild.run(Map.of(), ELSEWHERE, all).assertSucceeded();
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(line -> concerns(line, traced.toString())).count();
    }
  }

  /** Whether a line is the beginning of a call on something below the directory. */
  private static boolean concerns(String line, String directory) {
    if (line.contains(" ioctl(") && !line.contains("FICLONE")) {
      return false;
    }
    // Where a program stands does not matter to a path from the root.
    String paths = STANDING_AT.matcher(line).replaceAll("\"/");
    return !line.contains(" resumed>")
        && (paths.contains("<" + directory) || paths.contains("\"" + directory));
  }

  /** A directory with something of everything. */
  private Path prepare(String name) throws Exception {
    Path mount = Files.createDirectories(temporary.resolve(name)).toRealPath();
    Path in = Files.createDirectories(mount.resolve("in"));
    Random random = new Random(1);
    for (int i = 0; i < 25; i++) {
      byte[] content = new byte[random.nextInt(20_000)];
      random.nextBytes(content);
      Files.write(in.resolve("file" + i), content);
    }
    byte[] large = new byte[2 << 20];
    random.nextBytes(large);
    Files.write(in.resolve("large"), large);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 20_000; i++) {
      lines.append(random.nextInt(100_000)).append('\n');
    }
    Files.writeString(in.resolve("lines"), lines);
    Files.writeString(in.resolve("makefile"), "all:\n\t@cat $(M)/in/lines | wc -l > $(M)/out\n");
    Files.writeString(in.resolve("program.c"), "int main(void) { return 0; }\n");
    Files.writeString(
        in.resolve("Program.java"),
        """
        class Program {
          public static void main(String[] arguments) throws Exception {
            try (var files = java.nio.file.Files.list(java.nio.file.Path.of(arguments[0]))) {
              files.map(file -> file.getFileName().toString()).sorted()
                  .forEach(System.out::println);
            }
          }
        }
        """);
    if (!Files.exists(mount.resolve("repository"))) {
      String repository = mount.resolve("repository").toString();
      NativeBuild.run(
              Map.of(
                  "HOME",
                  temporary.toString(),
                  "GIT_COMMITTER_DATE",
                  "2026-01-01T00:00:00Z",
                  "GIT_AUTHOR_DATE",
                  "2026-01-01T00:00:00Z"),
              mount,
              List.of(
                  "sh",
                  "-c",
                  "git init -q $0 && cd $0 && cp ../in/file* . && git add . && git -c user.name=a"
                      + " -c user.email=a@b commit -q -m a",
                  repository))
          .assertSucceeded();
    }
    return mount;
  }

  private static String comparable(String output, Path mount) {
    return TIMES.matcher(output.replace(mount.toString(), "$M")).replaceAll("#");
  }

  /** All files but those that bear the time in them, with what they hold. */
  private static Map<String, Integer> contents(Path directory) throws IOException {
    Map<String, Integer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = directory.relativize(file).toString();
        if (!name.contains(".git/") && !name.equals("out")) {
          contents.put(name, Arrays.hashCode(Files.readAllBytes(file)));
        } else if (!name.contains("/")) {
          contents.put(name, (int) Files.size(file));
        }
      }
    }
    return contents;
  }
}
