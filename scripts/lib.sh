# shellcheck shell=bash
# Shared by the launcher and the gate: finding a JDK, and building with Maven.

root=${root:?must be set to the top of the tree by whoever reads this in}
readonly java_version_min=25
readonly native=$root/stage/target/run # what is made of C, wherever it is built from
readonly exit_build_failed=1
readonly exit_missing=69 # EX_UNAVAILABLE: a program that this one needs does not exist

# Standard output belongs to the command that is run, so all we say goes to standard error.
say() {
  printf 'sluice: %s\n' "$*" >&2
}

# ---- Finding a JDK ----

# The directories where JDKs are usually put, one a line.
usual_java_homes() {
  local home
  for home in /usr/lib/jvm/* /usr/java/* /opt/*jdk* "${HOME-}"/.sdkman/candidates/java/* \
    "${HOME-}"/.jdks/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [[ -d $home ]]; then printf '%s\n' "$home"; fi
  done
}

# Every directory to look at, one a line, the preferred first.
candidate_java_homes() {
  if [[ -n ${JAVA_HOME-} ]]; then printf '%s\n' "$JAVA_HOME"; fi
  usual_java_homes
  local java
  if java=$(command -v java); then
    java=$(readlink -f "$java")
    printf '%s\n' "${java%/bin/java}"
  fi
}

# Prints the feature version of the Java in a directory, such as 25; nothing when there is none.
java_version_of() {
  local home=$1 key value version=
  if [[ -r $home/release ]]; then
    while IFS='=' read -r key value; do
      if [[ $key == JAVA_VERSION ]]; then version=${value//\"/}; fi
    done <"$home/release"
  fi
  if [[ -z $version && -x $home/bin/java ]]; then
    version=$("$home/bin/java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p') || true
  fi
  printf '%s' "${version%%[!0-9]*}"
}

# Sets java_home to the first directory with a Java that is new enough and has this tool, java or
# javac. Ends the program when there is none.
find_java() {
  local tool=$1 home version looked_at=
  while IFS= read -r home; do
    version=$(java_version_of "$home")
    if [[ -z $version ]]; then
      looked_at+="  $home: no Java"$'\n'
    elif ((version < java_version_min)); then
      looked_at+="  $home: Java $version"$'\n'
    elif [[ ! -x $home/bin/$tool ]]; then
      looked_at+="  $home: Java $version without bin/$tool"$'\n'
    else
      java_home=$home
      return
    fi
  done < <(candidate_java_homes)

  say "a JDK of version $java_version_min or newer is needed, and none was found."
  printf '%s\n%s' "Looked at JAVA_HOME, the usual places and PATH, and found:" \
    "${looked_at:-"  nothing"$'\n'}" >&2
  printf '%s\n' "Install one and start again, or set JAVA_HOME to it:" \
    "  Eclipse Temurin $java_version_min from https://adoptium.net, or" \
    "  apt-get install openjdk-$java_version_min-jdk, where the distribution has it" >&2
  exit "$exit_missing"
}

# Ends the program when there is no Maven.
require_maven() {
  if ! command -v mvn >/dev/null; then
    say "Maven is needed to build, and there is no mvn on the PATH. Install it and start again:"
    printf '%s\n' "  apt-get install maven, dnf install maven or brew install maven, or" \
      "  https://maven.apache.org/install.html" >&2
    exit "$exit_missing"
  fi
}

# Becomes Maven on the whole tree, with the JDK that was found. For a subshell: the process that is
# waited for, or ended, is then Maven itself.
exec_maven() {
  cd "$root" && JAVA_HOME=$java_home exec mvn "$@"
}

# ---- Building ----

# Sets product, sources and maven_arguments for one of the things that can be built.
plan_build() {
  local module
  sources=("$root/pom.xml")
  # The papers' scenarios go into the simulator.
  if [[ -d $root/examples/scenarios ]]; then sources+=("$root/examples/scenarios"); fi
  case $1 in
    command)
      product=app/target/sluice
      maven_arguments=(-Dsluice.user -T 1C -pl app -am package)
      ;;
    bench)
      product=bench/target/benchmarks.jar
      maven_arguments=(-Pbench -pl bench -am package)
      ;;
    format)
      # Without our other modules, so that a tree that does not compile can be formatted.
      product=tidy/target/lib
      maven_arguments=(-Dsluice.format -pl tidy process-classes)
      sources+=("$root/tidy/pom.xml" "$root/tidy/src/main")
      return
      ;;
  esac
  for module in "$root"/*/pom.xml; do
    module=${module%/pom.xml}
    case ${module##*/}:$1 in
      tidy:* | bench:command) continue ;;
    esac
    sources+=("$module/pom.xml")
    if [[ -d $module/src/main ]]; then sources+=("$module/src/main"); fi
    if [[ -d $module/native/src ]]; then sources+=("$module/native/"{build,run,src}); fi
  done
}

# Whether the planned build is there and nothing it is made of is newer. A deleted source shows in
# its directory's time.
build_is_current() {
  local stamp=$1
  [[ -e $root/$product && -e $stamp ]] &&
    [[ -z $(find "${sources[@]}" -newer "$stamp" -print -quit) ]]
}

# Builds one of the things that can be built, unless it is current, and sets java_home.
# Ends the program when that fails.
ensure_built() {
  local name=$1 product sources maven_arguments
  local work=$root/target/launcher
  plan_build "$name"
  if build_is_current "$work/$name.stamp"; then
    find_java java
    return
  fi
  find_java javac
  require_maven
  mkdir -p "$work"
  lock_builds "$work/lock"
  # Whoever had the lock until now may have built it.
  build_is_current "$work/$name.stamp" || build "$name"
  exec 9>&- # Gives the lock back; the command must not inherit it.
}

# Builds sluice-run and the library beside it, unless they are current: a few seconds, and no Java.
# Ends the program when that fails.
ensure_launcher_built() {
  local work=$root/target/launcher
  if launcher_is_current; then return; fi
  mkdir -p "$work" "$native"
  lock_builds "$work/lock"
  if ! launcher_is_current; then
    touch "$work/run.begun"
    "$root/stage/native/build" run "$native" >&2 || exit "$exit_build_failed"
    if [[ ! -x $native/sluice-run ]]; then exit "$exit_missing"; fi
    mv "$work/run.begun" "$native/stamp"
  fi
  exec 9>&- # Gives the lock back; the program must not inherit it.
}

launcher_is_current() {
  [[ -x $native/sluice-run && -e $native/libsluice.so && -e $native/stamp ]] &&
    [[ -z $(find "$root"/stage/native/{build,run,src} -newer "$native/stamp" -print -quit) ]]
}

# Takes the lock of the tree's builds. Where there is no flock (macOS) two first starts at once are
# not kept apart.
lock_builds() {
  exec 9>"$1"
  if command -v flock >/dev/null && ! flock -n 9; then
    say "another start is building; waiting for it"
    flock 9
  fi
}

# Builds what is planned. Its output goes to a log, of which only the progress or the errors are
# shown.
build() {
  local name=$1 log=$work/build.log pid started=$SECONDS
  # The stamp bears the time before the build: what changes during it is built next time.
  touch "$work/$name.begun"
  # A dependency of another version must not stay on the class path beside the new one.
  rm -rf "${root:?}/$product"
  : >"$log" # Or the progress of the last build would show until Maven has started.
  exec_maven "${maven_arguments[@]}" -Dmaven.test.skip=true -Dstyle.color=never \
    </dev/null >"$log" 2>&1 &
  pid=$!
  # A background process does not get the terminal's interrupt.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  follow_build "$pid" "$log"
  local failed=no
  wait "$pid" || failed=yes
  trap - INT TERM
  if [[ $failed == yes ]]; then
    say "the build failed after $((SECONDS - started)) s:"
    build_errors "$log" >&2
    say "the whole log is in $log"
    exit "$exit_build_failed"
  fi
  mv "$work/$name.begun" "$work/$name.stamp"
  say "built in $((SECONDS - started)) s"
}

# Shows which module is being built until the process ends: on a terminal in one line that is
# rewritten, otherwise in a line for each module.
follow_build() {
  local pid=$1 log=$2 shown=0 bar=no ended=no
  if [[ -t 2 && ${TERM-dumb} != dumb ]]; then bar=yes; fi
  until [[ $ended == yes ]]; do
    # Asked before the log is read, so that the last lines are not missed.
    kill -0 "$pid" 2>/dev/null || ended=yes
    if [[ $bar == yes ]]; then
      show_bar "$log"
    else
      show_modules "$log"
    fi
    [[ $ended == yes ]] || sleep 0.2
  done
  if [[ $bar == yes ]]; then printf '\r\033[K' >&2; fi
}

# Prints "2 5 Sluice core" for each module that Maven has begun, here the second of five.
modules_begun() {
  sed -n 's/^\[INFO\] Building \(.*\) [^ ][^ ]*  *\[\([0-9]*\)\/\([0-9]*\)\]$/\2 \3 \1/p' "$1"
}

show_bar() {
  local number=0 total=1 module='starting Maven' begun width=20
  local full='####################' empty='....................'
  begun=$(modules_begun "$1" | tail -n 1)
  if [[ -n $begun ]]; then read -r number total module <<<"$begun"; fi
  local filled=$(((number > 0 ? number - 1 : 0) * width / total))
  printf '\r\033[K[%s%s] %s, %s s' "${full:0:filled}" "${empty:0:width-filled}" \
    "$module" "$((SECONDS - started))" >&2
}

show_modules() {
  local number total module
  while read -r number total module; do
    say "building $module ($number of $total)"
    shown=$((shown + 1))
  done < <(modules_begun "$1" | tail -n +"$((shown + 1))")
}

# Prints what went wrong: the compiler's messages where there are any, otherwise Maven's own.
build_errors() {
  local found
  found=$(awk '
    /BUILD FAILURE/ { exit }
    /^\[ERROR\]/ || /^\[WARNING\] .*\.java:\[/ { print; showing = 1; next }
    /^\[/ { showing = 0 }
    showing && NF { print }' "$1")
  if [[ -z $found ]]; then
    # Without Maven's advice on how to run Maven.
    found=$(grep '^\[ERROR\] .' "$1" | grep -v -e '-[Xe] switch' -e '\[Help 1\] http' \
      -e 'following articles' -e 'correcting the problems' -e 'mvn <args>') ||
      found=$(tail -n 20 "$1")
  fi
  printf '%s\n' "$found" | head -n 60
}
