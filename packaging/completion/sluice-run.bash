# shellcheck shell=bash
# Completion for bash of sluice-run, and of ./sluice run. Copy it to
# /usr/share/bash-completion/completions/sluice-run, or read it in from ~/.bashrc.

# The names of all that can be limited, as sluice-run itself has them.
_sluice_run_scopes() {
  # shellcheck disable=SC2086 # "./sluice run" is two words.
  $1 --classes 2>/dev/null | sed -n 's/^  *\([a-z][a-z]*\) .*/\1/p; t; s/^\([a-z-]*\)$/\1/p'
}

# _sluice_run_words PROGRAM FIRST: completes the words from FIRST on, which are sluice-run's.
_sluice_run_words() {
  local program=$1 first=$2 i word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  local -r with_value='--limit|--mount|--job|--directory|--not-held|--join|--add|--remove|--user'
  # Whatever follows the first word that is no option is another program's to complete.
  for ((i = first; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      --) break ;;
      --limit | --mount | --job | --directory | --not-held | --join | --add | --remove | --user) i=$((i + 1)) ;;
      -*) ;;
      *) break ;;
    esac
  done
  if ((i < COMP_CWORD)); then
    [[ ${COMP_WORDS[i]} == -- ]] && i=$((i + 1))
    if declare -F _command_offset >/dev/null; then
      _command_offset "$i"
    else
      mapfile -t COMPREPLY < <(compgen -A file -- "$word")
    fi
    return
  fi
  # The equals sign divides words: open= is three of them.
  [[ $word == = ]] && return
  case $before in
    --mount | --directory) mapfile -t COMPREPLY < <(compgen -A directory -- "$word") ;;
    --not-held) mapfile -t COMPREPLY < <(compgen -W 'run refuse' -- "$word") ;;
    --limit)
      mapfile -t COMPREPLY < <(compgen -S = -W "$(_sluice_run_scopes "$program")" -- "$word")
      compopt -o nospace
      ;;
    --user) mapfile -t COMPREPLY < <(compgen -W "$(id -u)" -- "$word") ;;
    --job | --join | --add | --remove) ;;
    *)
      if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "${with_value//|/ } --watch --quiet --print-env \
          --print-binds --classes --help" -- "$word")
      else
        mapfile -t COMPREPLY < <(compgen -A command -- "$word")
      fi
      ;;
  esac
}

_sluice_run() {
  _sluice_run_words "$1" 1
}

_sluice() {
  if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == run ]]; then
    _sluice_run_words "$1 run" 2
  elif ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W 'run limit agent serve status health top explain report \
      policy job hint rules observe reload stop limits controller keys load sim decide demo --help' \
      -- "${COMP_WORDS[1]}")
  fi
}

complete -F _sluice_run sluice-run
complete -o default -F _sluice sluice ./sluice
