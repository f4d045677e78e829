package dev.sluice.gateway.identify;

import dev.sluice.gateway.posix.UserDatabase;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Who knows users and groups. An answer may take minutes, or end with an {@link IOException} when
 * nobody could be asked; whoever others wait for does not ask here but {@link UserNames}, {@link
 * UserNumbers} and {@link UserGroups}. Safe for use by many threads.
 */
interface NameService {
  /** The user's name; null where there is no such user. */
  @Nullable String userName(int uid) throws IOException;

  /** The group's name; null where there is no such group. */
  @Nullable String groupName(int gid) throws IOException;

  /** All groups that the user is in; null where there is no such user. */
  int @Nullable [] groupsOf(int uid) throws IOException;

  /** The user's number; null where there is no such user. */
  @Nullable Integer userNumber(String name) throws IOException;

  /** The group's number; null where there is no such group. */
  @Nullable Integer groupNumber(String name) throws IOException;

  /** What this machine's own name service says: files, sssd, LDAP, as {@code nsswitch} has it. */
  NameService OF_THIS_MACHINE =
      new NameService() {
        @Override
        public @Nullable String userName(int uid) throws IOException {
          return UserDatabase.userName(uid);
        }

        @Override
        public @Nullable String groupName(int gid) throws IOException {
          return UserDatabase.groupName(gid);
        }

        @Override
        public int @Nullable [] groupsOf(int uid) throws IOException {
          return UserDatabase.groupsOf(uid);
        }

        @Override
        public @Nullable Integer userNumber(String name) throws IOException {
          return UserDatabase.userNumber(name);
        }

        @Override
        public @Nullable Integer groupNumber(String name) throws IOException {
          return UserDatabase.groupNumber(name);
        }
      };
}
