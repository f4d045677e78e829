package dev.sluice.gateway.files;

import static dev.sluice.gateway.files.TreeOnGround.bytes;
import static dev.sluice.gateway.files.TreeOnGround.mode;
import static dev.sluice.gateway.files.TreeOnGround.statusOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.gateway.files.ExtendedAttributes.Before;
import dev.sluice.gateway.files.ExtendedAttributes.Outcome;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What users attach to files, with the kernel's word on who may. */
@ParameterizedClass
@EnumSource(Ground.class)
class PosixExtendedAttributesTest {
  private static final Caller OWNER = new Caller(4_001, 4_001);
  private static final Caller STRANGER = new Caller(4_002, 4_002);
  private static final byte[] NAME = bytes("colour");

  private final TreeOnGround on;
  private final ExtendedAttributes attributes;
  private FileHandle file;

  PosixExtendedAttributesTest(Ground ground) throws IOException {
    on = new TreeOnGround(ground);
    attributes = on.tree().extendedAttributes();
  }

  @BeforeEach
  void make() throws Exception {
    file = on.create(on.tree().root(), "file");
    try (FileNode root = on.root()) {
      assumeTrue(on.tree().space(root).hasExtendedAttributes(), "the file system has none");
    }
  }

  @AfterEach
  void closeTree() throws IOException {
    on.close();
  }

  @Test
  void whatIsSetIsThereUntilItIsRemoved() throws Exception {
    FileHandle directory = on.makeDirectory(on.tree().root(), "directory");
    for (FileHandle handle : new FileHandle[] {file, directory}) {
      try (FileNode node = on.open(handle)) {
        assertThat(attributes.get(node, NAME, Caller.ROOT)).isNull();
        assertThat(attributes.names(node, Caller.ROOT)).isEmpty();
        assertThat(set(node, "blue", Before.ONE)).isEqualTo(Outcome.ABSENT);
        assertThat(set(node, "blue", Before.NONE)).isEqualTo(Outcome.DONE);
        assertThat(statusOf(() -> set(node, "red", Before.NONE))).isEqualTo(Nfs3Status.EXIST);
        assertThat(attributes.get(node, NAME, Caller.ROOT)).isEqualTo(bytes("blue"));
        assertThat(set(node, "", Before.ANY)).isEqualTo(Outcome.DONE);
        assertThat(attributes.get(node, NAME, Caller.ROOT)).isEmpty();
        assertThat(set(node, "green", Before.ONE)).isEqualTo(Outcome.DONE);
        attributes.set(node, bytes("size"), bytes("7"), Before.ANY, Caller.ROOT);
        assertThat(attributes.names(node, Caller.ROOT))
            .extracting(name -> new String(name, StandardCharsets.UTF_8))
            .containsExactlyInAnyOrder("colour", "size");
        assertThat(attributes.remove(node, NAME, Caller.ROOT)).isTrue();
        assertThat(attributes.remove(node, NAME, Caller.ROOT)).isFalse();
        assertThat(attributes.get(node, NAME, Caller.ROOT)).isNull();
      }
    }
  }

  /** Programs on the server see the same ones, under the name that Linux has for them. */
  @Test
  void theyAreThoseOfTheUserNameSpaceAlone() throws Exception {
    try (FileNode node = on.open(file)) {
      set(node, "blue", Before.ANY);
      UserDefinedFileAttributeView local =
          Files.getFileAttributeView(
              on.exported().resolve("file"), UserDefinedFileAttributeView.class);
      assertThat(local.list()).containsExactly("colour");
      byte[] other = bytes("trusted.x");
      attributes.set(node, other, bytes("1"), Before.ANY, Caller.ROOT);
      assertThat(local.list()).containsExactlyInAnyOrder("colour", "trusted.x");
    }
  }

  @Test
  void theKernelSaysWhoMay() throws Exception {
    assumeTrue(PosixTree.actsAsCaller(), "only root can act as others");
    on.setAttributes(
        file, new AttributeChange(0640, OWNER.uid(), OWNER.gid(), null, null, null), Caller.ROOT);
    try (FileNode node = on.open(file)) {
      attributes.set(node, NAME, bytes("blue"), Before.ANY, OWNER);
      assertThat(attributes.get(node, NAME, OWNER)).isEqualTo(bytes("blue"));
      assertThat(statusOf(() -> attributes.get(node, NAME, STRANGER))).isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> attributes.names(node, STRANGER))).isEqualTo(Nfs3Status.ACCES);
      assertThat(rights(node, STRANGER)).isZero();
      on.setAttributes(file, mode(0644), OWNER);
      assertThat(attributes.get(node, NAME, STRANGER)).isEqualTo(bytes("blue"));
      assertThat(attributes.names(node, STRANGER)).hasSize(1);
      assertThat(statusOf(() -> attributes.set(node, NAME, bytes("x"), Before.ANY, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(statusOf(() -> attributes.remove(node, NAME, STRANGER)))
          .isEqualTo(Nfs3Status.ACCES);
      assertThat(rights(node, STRANGER))
          .isEqualTo(AccessRights.XATTR_READ | AccessRights.XATTR_LIST);
      assertThat(rights(node, OWNER)).isEqualTo(AccessRights.XATTRS);
    }
  }

  private int rights(FileNode node, Caller caller) throws FileException {
    return on.tree().access(node, AccessRights.XATTRS, caller);
  }

  @Test
  void otherKindsOfFilesHaveNone() throws Exception {
    try (FileNode root = on.root()) {
      FileHandle link =
          on.tree()
              .makeSymbolicLink(
                  root, bytes("link"), bytes("file"), AttributeChange.NOTHING, Caller.ROOT)
              .handle();
      try (FileNode node = on.open(link)) {
        assertThat(statusOf(() -> set(node, "blue", Before.ANY))).isEqualTo(Nfs3Status.PERM);
        assertThat(attributes.get(node, NAME, Caller.ROOT)).isNull();
        assertThat(rights(node, Caller.ROOT)).isZero();
      }
      try (FileNode node = on.open(file)) {
        assertThat(attributes.names(node, Caller.ROOT)).as("of what it leads to").isEmpty();
      }
    }
  }

  @Test
  void whatIsTooLargeIsRefusedAndWhatWasThereStays() throws Exception {
    try (FileNode node = on.open(file)) {
      set(node, "blue", Before.ANY);
      byte[] large = new byte[ExtendedAttributes.VALUE_BYTES_MAX + 1];
      assertThat(attributes.set(node, NAME, large, Before.ANY, Caller.ROOT))
          .isEqualTo(Outcome.TOO_LARGE);
      assertThat(attributes.get(node, NAME, Caller.ROOT)).isEqualTo(bytes("blue"));
    }
  }

  private Outcome set(FileNode node, String value, Before before) throws FileException {
    return attributes.set(node, NAME, bytes(value), before, Caller.ROOT);
  }
}
