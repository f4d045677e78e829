package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.mode;
import static dev.sluice.gateway.files.TreeOnGround.size;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Who may set what together with what else, and that a refusal leaves all as it was. */
@ParameterizedClass
@EnumSource(
    value = Ground.class,
    names = {"DISK", "MEMORY"})
class PosixTreeSetAttributesTest {
  private static final Caller OWNER = new Caller(4_001, 4_001, 4_200);
  private static final Caller STRANGER = new Caller(4_002, 4_002);
  private static final Caller MEMBER = new Caller(4_003, 4_003, 4_001, 4_200);
  private static final Caller NOBODY = new Caller(65_534, 65_534);
  private static final Caller[] CALLERS = {OWNER, STRANGER, MEMBER, NOBODY, Caller.ROOT};
  private static final int[] MODES = {0, 0200, 0400, 0600, 0644, 0660, 0662, 0666, 04755, 06777};
  private static final int[] GROUPS = {4_001, 4_002, 4_200};
  private static final TimeChange NOW = new TimeChange.Now();
  private static final TimeChange PAST = new TimeChange.To(new Timestamp(1_000, 5));
  private static final byte[] CONTENT = bytes("0123456789");

  private final TreeOnGround on;
  private final FileHandle root;

  PosixTreeSetAttributesTest(Ground ground) throws IOException {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    on = new TreeOnGround(ground);
    root = on.tree().root();
  }

  @AfterEach
  void closeTree() throws IOException {
    on.close();
  }

  @Test
  void whoMayWriteMayTruncateAsLinuxDoesIt() throws Exception {
    FileHandle file = ownersFile(0666);
    AttributeChange truncation = new AttributeChange(null, null, null, 0L, null, NOW);
    on.setAttributes(file, truncation, STRANGER);
    assertThat(on.attributes(file).size()).isZero();
    assertThat(on.attributes(file).modified().seconds()).isGreaterThan(1_000);
  }

  @Test
  void whoMayWriteMayTouchEitherTime() throws Exception {
    FileHandle file = ownersFile(0666);
    AttributeChange modified = new AttributeChange(null, null, null, null, null, NOW);
    AttributeChange accessed = new AttributeChange(null, null, null, null, NOW, null);
    on.setAttributes(file, modified, STRANGER);
    assertThat(on.attributes(file).modified().seconds()).isGreaterThan(1_000);
    assertThat(on.attributes(file).accessed().seconds()).isEqualTo(1_000);
    on.setAttributes(file, accessed, STRANGER);
    assertThat(on.attributes(file).accessed().seconds()).isGreaterThan(1_000);

    on.setAttributes(file, mode(0644), OWNER);
    assertThat(statusOf(() -> on.setAttributes(file, modified, STRANGER)))
        .isEqualTo(Nfs3Status.PERM);
  }

  @Test
  void aLinksTimesAreItsOwners() throws Exception {
    try (FileNode node = on.root()) {
      FileHandle link =
          on.tree()
              .makeSymbolicLink(node, bytes("link"), bytes("x"), mode(0777), Caller.ROOT)
              .handle();
      AttributeChange touch = new AttributeChange(null, null, null, null, null, NOW);
      assertThat(statusOf(() -> on.setAttributes(link, touch, STRANGER)))
          .isEqualTo(Nfs3Status.PERM);
    }
  }

  @Test
  void aSizeThatTheFileSystemRefusesLeavesTheRestAsItWas() throws Exception {
    FileHandle file = ownersFile(0644);
    Attributes before = on.attributes(file);
    AttributeChange change =
        new AttributeChange(0600, OWNER.uid(), 4_200, Long.MAX_VALUE, PAST, null);
    assumeTrue(
        statusOf(() -> on.setAttributes(file, change, OWNER)) == Nfs3Status.FBIG,
        "this file system takes any size");
    assertSame(file, before);
  }

  @Test
  void whatCannotHaveItsAttributesIsNotMade() throws Exception {
    FileHandle existing = ownersFile(0644);
    assumeTrue(
        statusOf(() -> on.setAttributes(existing, size(Long.MAX_VALUE), OWNER)) == Nfs3Status.FBIG,
        "this file system takes any size");
    FileHandle shared = shared();
    AttributeChange tooLarge = new AttributeChange(0644, null, null, Long.MAX_VALUE, null, null);
    try (FileNode node = on.open(shared)) {
      Creation guarded = new Creation.Guarded(tooLarge);
      Creation unchecked = new Creation.Unchecked(tooLarge);
      assertThat(statusOf(() -> on.tree().create(node, bytes("file"), guarded, STRANGER)))
          .isEqualTo(Nfs3Status.FBIG);
      assertThat(statusOf(() -> on.tree().create(node, bytes("file"), unchecked, STRANGER)))
          .isEqualTo(Nfs3Status.FBIG);
    }
    assertThat(on.names(shared, 10)).containsExactlyInAnyOrder(".", "..");
  }

  @Test
  void whoMayWriteEmptiesAnExistingFileByMakingIt() throws Exception {
    FileHandle shared = shared();
    FileHandle file = on.create(shared, "file");
    on.write(file, 0, CONTENT);
    AttributeChange empty = new AttributeChange(0644, null, null, 0L, null, NOW);
    Creation how = new Creation.Unchecked(empty);
    try (FileNode node = on.open(shared)) {
      assertThat(statusOf(() -> on.tree().create(node, bytes("file"), how, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(on.attributes(file).size()).isEqualTo(CONTENT.length);

      on.setAttributes(file, mode(0666), Caller.ROOT);
      Child taken = on.tree().create(node, bytes("file"), how, STRANGER);
      assertThat(taken.attributes().size()).isZero();
      assertThat(taken.attributes().mode()).isEqualTo(0666);
    }
  }

  /** All of it or nothing, and it is granted to those to whom POSIX and the RFC grant it. */
  @Test
  void itIsDoneAsAWholeOrNotAtAll() {
    SeededCases.forAll(
        400,
        random -> {
          FileHandle file = ownersFile(MODES[random.nextInt(MODES.length)]);
          Caller caller = CALLERS[random.nextInt(CALLERS.length)];
          AttributeChange change = change(random);
          Attributes before = on.attributes(file);

          Nfs3Status status = statusOf(() -> on.setAttributes(file, change, caller));
          if (mayDo(before, change, caller)) {
            assertThat(status)
                .as("%s by %s on %s", change, caller, before)
                .isEqualTo(Nfs3Status.OK);
            assertDone(file, before, change, caller);
          } else {
            assertThat(status)
                .as("%s by %s on %s", change, caller, before)
                .isIn(Nfs3Status.PERM, Nfs3Status.ACCES);
            assertSame(file, before);
          }
          on.remove(root, "owners");
        });
  }

  private static AttributeChange change(RandomGenerator random) {
    return new AttributeChange(
        random.nextInt(3) == 0 ? MODES[random.nextInt(MODES.length)] : null,
        random.nextInt(6) == 0 ? (random.nextBoolean() ? OWNER : STRANGER).uid() : null,
        random.nextInt(4) == 0 ? GROUPS[random.nextInt(GROUPS.length)] : null,
        random.nextInt(2) == 0 ? Long.valueOf(random.nextInt(20)) : null,
        time(random),
        time(random));
  }

  private static @Nullable TimeChange time(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> NOW;
      case 1 -> PAST;
      default -> null;
    };
  }

  private static boolean mayDo(Attributes file, AttributeChange change, Caller caller) {
    if (caller.uid() == 0) {
      return true;
    }
    boolean owns = caller.uid() == file.uid();
    boolean writes = owns || (file.mode() & writeBit(file, caller)) != 0;
    boolean setsTimes =
        change.accessed() instanceof TimeChange.To || change.modified() instanceof TimeChange.To;
    boolean needsOwner =
        change.mode() != null || change.uid() != null || change.gid() != null || setsTimes;
    boolean needsWriting =
        change.size() != null || change.accessed() != null || change.modified() != null;
    boolean givesAway = change.uid() != null && change.uid() != file.uid();
    return (!needsOwner || owns)
        && (!needsWriting || writes)
        && !givesAway
        && (change.gid() == null || isIn(caller, change.gid()));
  }

  private static int writeBit(Attributes file, Caller caller) {
    return isIn(caller, file.gid()) ? 0020 : 0002;
  }

  private static boolean isIn(Caller caller, int group) {
    for (int i = 0; i < caller.groupCount(); i++) {
      if (caller.group(i) == group) {
        return true;
      }
    }
    return caller.gid() == group;
  }

  private void assertDone(FileHandle file, Attributes before, AttributeChange change, Caller caller)
      throws Exception {
    Attributes after = on.attributes(file);
    Integer mode = change.mode();
    int group = change.gid() != null ? change.gid() : before.gid();
    if (mode != null) {
      boolean keepsSetGroup = caller.uid() == 0 || isIn(caller, group);
      assertThat(after.mode()).isEqualTo(keepsSetGroup ? mode : mode & ~02000);
    } else if (caller.uid() == 0 && change.uid() == null && change.gid() == null) {
      assertThat(after.mode()).isEqualTo(before.mode());
    } else {
      assertThat(after.mode() & 0777).isEqualTo(before.mode() & 0777);
    }
    assertThat(after.uid()).isEqualTo(change.uid() != null ? change.uid() : before.uid());
    assertThat(after.gid()).isEqualTo(group);
    assertThat(after.size()).isEqualTo(change.size() != null ? change.size() : before.size());
    assertTime(after.accessed(), change.accessed(), before.accessed());
    if (change.modified() != null || change.size() == null) {
      assertTime(after.modified(), change.modified(), before.modified());
    } else {
      assertThat(after.modified().seconds()).isGreaterThan(1_000_000);
    }
  }

  private static void assertTime(Timestamp after, @Nullable TimeChange change, Timestamp before) {
    switch (change) {
      case null -> assertThat(after).isEqualTo(before);
      case TimeChange.To(Timestamp time) -> assertThat(after).isEqualTo(time);
      case TimeChange.Now _ -> assertThat(after.seconds()).isGreaterThan(1_000_000);
    }
  }

  /** All but the time of the last change of attributes, which nobody can set. */
  private void assertSame(FileHandle file, Attributes before) throws Exception {
    Attributes after = on.attributes(file);
    assertThat(after).usingRecursiveComparison().ignoringFields("changed").isEqualTo(before);
    assertThat(Files.readAllBytes(on.exported().resolve("owners"))).isEqualTo(CONTENT);
  }

  private FileHandle shared() throws FileException {
    FileHandle directory = on.makeDirectory(root, "shared");
    on.setAttributes(directory, mode(0777), Caller.ROOT);
    return directory;
  }

  /** A file of the owner's with something in it, last used long ago. */
  private FileHandle ownersFile(int mode) throws FileException {
    FileHandle file = on.create(root, "owners");
    on.write(file, 0, CONTENT);
    TimeChange longAgo = new TimeChange.To(new Timestamp(1_000, 7));
    on.setAttributes(
        file,
        new AttributeChange(mode, OWNER.uid(), OWNER.gid(), null, longAgo, longAgo),
        Caller.ROOT);
    return file;
  }
}
