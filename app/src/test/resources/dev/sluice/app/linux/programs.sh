# Programs that people use, on a mounted export: programs.sh DIRECTORY. Each check is a line.
# shellcheck source=app/src/test/resources/dev/sluice/app/linux/prelude.sh
. /run/guest/prelude.sh
cd "$1" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a \
  GIT_COMMITTER_EMAIL=a@b

forget_caches() {
  sync
  echo 3 >/proc/sys/vm/drop_caches
}

# try NAME PROGRAM: runs the function NAME where the program is installed.
try() {
  if command -v "$2" >/dev/null; then
    check "$1" "$1"
  else
    echo "skip $1 $2 is not installed"
  fi
}

git_clones_and_checks_itself() (
  set -e
  git init -q /tmp/origin
  cd /tmp/origin
  for i in $(seq 60); do
    mkdir -p "d$((i % 7))"
    head -c $((i * 500)) /dev/urandom | base64 >"d$((i % 7))/f$i"
  done
  ln -s d1/f1 link
  git add .
  git commit -qm one
  seq 5000 >d2/numbers
  git add .
  git commit -qm two
  cd "$OLDPWD"
  git clone -q --no-local /tmp/origin clone
  forget_caches
  git -C clone fsck --full --strict
  [[ -z $(git -C clone status --porcelain) ]]
  git -C clone checkout -q -b branch HEAD~1
  echo more >clone/d1/more
  git -C clone add .
  git -C clone commit -qm three
  git -C clone gc -q
  git clone -q clone again
  forget_caches
  git -C again fsck --full
  diff -r --exclude .git clone again
)

tar_and_make_build_a_project() (
  set -e
  mkdir /tmp/project
  for i in 1 2 3 4; do
    printf '#include "all.h"\nint f%s(int x) { return x + %s; }\n' "$i" "$i" >"/tmp/project/f$i.c"
    printf 'int f%s(int x);\n' "$i" >>/tmp/project/all.h
  done
  cat >/tmp/project/main.c <<'C'
#include <stdio.h>
#include "all.h"
int main(void) { printf("%d\n", f1(f2(f3(f4(0))))); return 0; }
C
  printf 'program: main.o f1.o f2.o f3.o f4.o\n\tcc -o $@ $^\n*.o: all.h\n' >/tmp/project/Makefile
  tar -C /tmp -cf /tmp/project.tar project
  tar -xf /tmp/project.tar
  diff -r /tmp/project project
  make -C project -j2
  [[ $(project/program) == 10 ]]
  [[ $(make -C project) == *"is up to date"* ]]
  touch project/f3.c
  [[ $(make -C project) == *f3.c* ]]
)

sqlite_keeps_its_database_whole() (
  set -e
  sqlite3 db "create table t(process int, i int, t text); create index byi on t(i);"
  insert() {
    local i
    for i in 1 2 3 4 5 6; do
      sqlite3 -cmd '.timeout 60000' db "begin immediate;
        insert into t select $1, value, hex(randomblob(50)) from generate_series(1, 100);
        commit;"
    done
  }
  insert 1 &
  other=$!
  insert 2
  wait "$other"
  forget_caches
  [[ $(sqlite3 db "pragma integrity_check") == ok ]]
  [[ $(sqlite3 db "select count(*) from t") == 1200 ]]
)

fio_verifies() {
  fio --name="$1" --filename="$1" --size=24m --bs=64k --rw=randwrite --ioengine=psync \
    --direct="$2" --numjobs=1 --verify=crc32c --verify_fatal=1 --do_verify=1 --output-format=terse
}

fio_verifies_buffered() {
  fio_verifies buffered 0
}

fio_verifies_direct() {
  fio_verifies direct 1
}

rsync_copies_exactly() (
  set -e
  mkdir -p /tmp/tree/{a,b/c}
  for i in $(seq 40); do head -c $((i * 777)) /dev/urandom >"/tmp/tree/b/c/f$i"; done
  ln /tmp/tree/b/c/f1 /tmp/tree/a/hard
  ln -s ../b/c/f2 /tmp/tree/a/soft
  mkfifo /tmp/tree/a/pipe
  chmod 4711 /tmp/tree/b/c/f3
  chown 1001:2001 /tmp/tree/b/c/f4
  touch -d '2001-02-03 04:05:06.789' /tmp/tree/b/c/f5
  rsync -aH /tmp/tree/ copy/
  forget_caches
  [[ -z $(rsync -aHc --itemize-changes --dry-run --delete /tmp/tree/ copy/) ]]
  echo changed >>/tmp/tree/b/c/f6
  rm /tmp/tree/b/c/f7
  rsync -aH --inplace --delete /tmp/tree/ copy/
  diff -r --exclude pipe /tmp/tree copy
)

try git_clones_and_checks_itself git
try tar_and_make_build_a_project cc
try sqlite_keeps_its_database_whole sqlite3
try fio_verifies_buffered fio
try fio_verifies_direct fio
try rsync_copies_exactly rsync
