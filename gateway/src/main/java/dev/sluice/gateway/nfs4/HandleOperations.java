package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileHandles;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileType;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What moves a COMPOUND from file to file: PUTFH, PUTROOTFH, GETFH, LOOKUP and LOOKUPP. From the
 * root on, {@code @4711} leads to the same place with the claim to be job 4711, which is believed
 * or not with every call, as in version 3.
 */
final class HandleOperations {
  private static final byte[] PARENT = {'.', '.'};

  private HandleOperations() {}

  static void putfh(Compound compound, XdrReader in) throws Refusal {
    FileHandle handle = compound.parts().handles().read(in);
    if (handle == null) {
      throw new Refusal(Nfs4Status.BADHANDLE, "not a handle of ours");
    }
    compound.goTo(handle);
  }

  static void putrootfh(Compound compound) {
    compound.goTo(root(compound, null));
  }

  static void getfh(Compound compound, XdrWriter out) throws Refusal {
    compound.parts().handles().write(compound.handle(), out);
  }

  static void lookup(Compound compound, XdrReader in) throws Refusal, FileException {
    byte[] name = Names4.check(Names4.read(in));
    String path = compound.pseudoPath();
    FileHandle at = compound.handle();
    JobId claim = claim(compound, at, name);
    if (claim != null) {
      compound.goTo(root(compound, claim));
    } else if (path != null) {
      PseudoTree.Step step =
          compound
              .parts()
              .pseudo()
              .child(path, new String(name, StandardCharsets.UTF_8), compound.call().client());
      if (step == null) {
        throw new Refusal(Nfs4Status.NOENT, "leads to no export");
      }
      compound.goTo(handle(step, at.claimedJob()));
    } else {
      compound.goTo(below(compound, at, name));
    }
  }

  /** An export may be mounted, so to speak, in the root of another; else a file of this one. */
  private static FileHandle below(Compound compound, FileHandle at, byte[] name)
      throws Refusal, FileException {
    Export export = compound.export();
    if (at.equals(export.tree().root())) {
      PseudoTree.Step step =
          compound
              .parts()
              .pseudo()
              .child(
                  export.path(),
                  new String(name, StandardCharsets.UTF_8),
                  compound.call().client());
      if (step instanceof PseudoTree.Step.Into) {
        return handle(step, at.claimedJob());
      }
    }
    FileNode directory = directory(compound);
    return compound.tree().lookup(directory, name, compound.caller()).handle();
  }

  static void lookupp(Compound compound) throws Refusal, FileException {
    String path = compound.pseudoPath();
    FileHandle at = compound.handle();
    if (path == null) {
      Export export = compound.export();
      FileNode directory = directory(compound);
      if (!at.equals(export.tree().root())) {
        Caller caller = compound.caller();
        compound.goTo(compound.tree().lookup(directory, PARENT, caller).handle());
        return;
      }
      path = export.path();
    }
    if (path.equals("/")) {
      throw new Refusal(Nfs4Status.NOENT, "there is nothing above the root");
    }
    String above = PseudoTree.parent(path);
    compound.goTo(PseudoTree.handle(above).claimedBy(at.claimedJob()));
  }

  /** The current file, which must be a directory. */
  static FileNode directory(Compound compound) throws Refusal, FileException {
    FileNode directory = compound.node();
    requireDirectory(compound.tree().typeOf(directory));
    return directory;
  }

  static void requireDirectory(FileType type) throws Refusal {
    if (type != FileType.DIRECTORY) {
      throw new Refusal(
          type == FileType.SYMBOLIC_LINK ? Nfs4Status.SYMLINK : Nfs4Status.NOTDIR,
          "not a directory");
    }
  }

  private static FileHandle root(Compound compound, @Nullable JobId claim) {
    return handle(compound.parts().pseudo().root(compound.call().client()), claim);
  }

  private static FileHandle handle(PseudoTree.Step step, @Nullable JobId claim) {
    return switch (step) {
      case PseudoTree.Step.Into(Export export) -> export.tree().root().claimedBy(claim);
      case PseudoTree.Step.On(String path) -> PseudoTree.handle(path).claimedBy(claim);
    };
  }

  /** The job that a name in the root claims; null where it claims none. */
  private static @Nullable JobId claim(Compound compound, FileHandle at, byte[] name)
      throws Refusal {
    if (name[0] != '@' || at.claimedJob() != null || !at.equals(root(compound, null))) {
      return null;
    }
    try {
      JobId job = JobId.of(new String(name, 1, name.length - 1, StandardCharsets.UTF_8));
      if (FileHandles.fits(job)) {
        return job;
      }
    } catch (IllegalArgumentException _) {
      // As below.
    }
    throw new Refusal(Nfs4Status.ACCESS, "expected a job's id after the \"@\"");
  }
}
