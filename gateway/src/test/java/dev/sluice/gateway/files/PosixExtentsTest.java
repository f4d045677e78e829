package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Holes, reservations and copies, on what the kernel makes of them. */
@ParameterizedClass
@EnumSource(Ground.class)
class PosixExtentsTest {
  private static final Caller OWNER = new Caller(4_001, 4_001);
  private static final Caller STRANGER = new Caller(4_002, 4_002);
  private static final int BLOCK = 1 << 16;

  private final TreeOnGround on;
  private final FileExtents extents;

  PosixExtentsTest(Ground ground) throws IOException {
    on = new TreeOnGround(ground);
    extents = on.tree().extents();
  }

  @AfterEach
  void closeTree() throws IOException {
    on.close();
  }

  @Test
  void dataAndHolesAreFound() throws Exception {
    FileHandle file = on.create(on.tree().root(), "file");
    on.write(file, 4 * BLOCK, new byte[BLOCK]);
    on.setAttributes(file, TreeOnGround.size(8L * BLOCK), Caller.ROOT);
    try (FileNode node = on.open(file)) {
      assertThat(extents.nextData(node, 0, Caller.ROOT)).isEqualTo(4 * BLOCK);
      assertThat(extents.nextHole(node, 0, Caller.ROOT)).isZero();
      assertThat(extents.nextHole(node, 4 * BLOCK + 1, Caller.ROOT)).isEqualTo(5 * BLOCK);
      assertThat(extents.nextData(node, 5 * BLOCK, Caller.ROOT)).isEqualTo(FileExtents.NOWHERE);
      assertThat(extents.nextHole(node, 9 * BLOCK, Caller.ROOT)).isEqualTo(FileExtents.NOWHERE);
    }
  }

  @Test
  void roomIsReservedAndGivenBack() throws Exception {
    FileHandle file = on.create(on.tree().root(), "file");
    try (FileNode node = on.open(file)) {
      extents.allocate(node, 0, 4L * BLOCK, Caller.ROOT);
      assertThat(on.attributes(file).size()).isEqualTo(4 * BLOCK);
      assertThat(on.attributes(file).usedBytes()).isGreaterThanOrEqualTo(4 * BLOCK);
      on.write(file, 0, filled(4 * BLOCK, (byte) 7));
      extents.deallocate(node, BLOCK, 2L * BLOCK, Caller.ROOT);
      assertThat(on.attributes(file).size()).isEqualTo(4 * BLOCK);
      assertThat(on.attributes(file).usedBytes()).isLessThan(3 * BLOCK);
      assertThat(on.read(file, BLOCK - 1, 2)).containsExactly(7, 0);
      assertThat(on.read(file, 3 * BLOCK - 1, 2)).containsExactly(0, 7);
    }
  }

  @Test
  void aCopyIsTheSameAndEndsWhereItsSourceDoes() throws Exception {
    FileHandle from = on.create(on.tree().root(), "from");
    FileHandle to = on.create(on.tree().root(), "to");
    on.write(from, 0, filled(BLOCK, (byte) 9));
    try (FileNode source = on.open(from);
        FileNode destination = on.open(to)) {
      assertThat(extents.copy(source, 1, destination, 10, 100, Caller.ROOT)).isEqualTo(100);
      assertThat(extents.copy(source, BLOCK - 5, destination, 0, 100, Caller.ROOT)).isEqualTo(5);
      assertThat(extents.copy(source, BLOCK, destination, 0, 100, Caller.ROOT)).isZero();
    }
    byte[] expected = filled(110, (byte) 9);
    for (int i = 5; i < 10; i++) {
      expected[i] = 0;
    }
    assertThat(on.read(to, 0, 200)).isEqualTo(expected);
  }

  @Test
  void itIsForThoseWhoMayReadAndWrite() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    FileHandle mine = ownersFile("mine", 0600);
    FileHandle shared = ownersFile("shared", 0666);
    FileHandle visible = ownersFile("visible", 0644);
    on.write(mine, 0, bytes("secret"));
    try (FileNode secret = on.open(mine);
        FileNode open = on.open(shared);
        FileNode seen = on.open(visible)) {
      assertThat(statusOf(() -> extents.nextData(secret, 0, STRANGER))).isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> extents.allocate(seen, 0, 10, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> extents.deallocate(seen, 0, 10, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> extents.copy(secret, 0, open, 0, 6, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> extents.copy(open, 0, seen, 0, 6, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> extents.share(secret, 0, open, 0, 0, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      extents.allocate(open, 0, 10, STRANGER);
      assertThat(extents.copy(secret, 0, open, 0, 6, OWNER)).isEqualTo(6);
    }
    assertThat(on.read(shared, 0, 6, STRANGER)).isEqualTo(bytes("secret"));
  }

  @Test
  void whatAStrangerChangesLosesItsSetIdBits() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    FileHandle file = ownersFile("file", 06777);
    try (FileNode node = on.open(file)) {
      extents.allocate(node, 0, 10, STRANGER);
    }
    assertThat(on.attributes(file).mode()).isEqualTo(0777);
  }

  @Test
  void onlyRegularFilesHaveContents() throws Exception {
    FileHandle directory = on.makeDirectory(on.tree().root(), "directory");
    try (FileNode node = on.open(directory)) {
      assertThat(statusOf(() -> extents.allocate(node, 0, 1, Caller.ROOT)))
          .isEqualTo(Nfs3Status.ISDIR);
      assertThat(statusOf(() -> extents.nextData(node, 0, Caller.ROOT)))
          .isEqualTo(Nfs3Status.ISDIR);
    }
  }

  private FileHandle ownersFile(String name, int mode) throws FileException {
    FileHandle file = on.create(on.tree().root(), name);
    on.setAttributes(
        file, new AttributeChange(null, OWNER.uid(), OWNER.gid(), null, null, null), Caller.ROOT);
    on.setAttributes(file, TreeOnGround.mode(mode), Caller.ROOT);
    return file;
  }

  private static byte[] filled(int length, byte value) {
    byte[] content = new byte[length];
    Arrays.fill(content, value);
    return content;
  }
}
