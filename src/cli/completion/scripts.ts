/** The completion script of each shell. It asks `carrierspec complete -- WORDS` at each press of Tab. */
// The words of the line reach the program as arguments. No script joins them into a text that a shell reads again: a word may be
// `$(rm notes.txt)`, and Tab must not run it.

const bash = `# source <(carrierspec completion bash), in ~/.bashrc to have it in every shell
__carrierspec_complete() {
  local line=\${COMP_LINE:0:COMP_POINT} piece= prefix= answer= i
  local -a words=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    line=\${line#*"\${COMP_WORDS[i - 1]}"}
    piece=\${COMP_WORDS[i]}
    # Of the last word, the part before the cursor.
    ((i < COMP_CWORD)) || piece=\${line#"\${line%%[![:blank:]]*}"}
    # Bash divides at = and : as well, which belong to a word.
    if ((i > 1)) && [[ $line != [[:blank:]]* && ($piece == [=:]* || \${COMP_WORDS[i - 1]} == *[=:]) ]]; then
      words[\${#words[@]} - 1]+=$piece
    else
      words+=("$piece")
    fi
  done
  # Where = does not divide.
  [[ $piece != -*=* ]] || prefix=\${piece%%=*}=
  COMPREPLY=()
  while IFS= read -r answer; do
    [[ $answer == :* ]] || COMPREPLY+=("$prefix\${answer%%$'\\t'*}")
  done < <(carrierspec complete -- "\${words[@]//[\\"\\'\\\\]/}" 2>/dev/null)
  case $answer in
    :nothing) compopt +o default ;;
    :folders) compopt +o default -o dirnames ;;
  esac
}
complete -o default -F __carrierspec_complete carrierspec
`;

const zsh = `#compdef carrierspec
# source <(carrierspec completion zsh), in ~/.zshrc after compinit
_carrierspec() {
  local answer otherwise
  local -a candidates
  while IFS= read -r answer; do
    case $answer in
      :*) otherwise=$answer ;;
      *) candidates+=("\${\${answer%%$'\\t'*}//:/\\\\:}:\${answer#*$'\\t'}") ;;
    esac
  done < <(carrierspec complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)
  # Of --name=value and format=path, the part after = is completed.
  compset -P '*='
  if (( \${#candidates} )); then
    _describe carrierspec candidates
  elif [[ $otherwise == :files ]]; then
    _files
  elif [[ $otherwise == :folders ]]; then
    _files -/
  fi
}
compdef _carrierspec carrierspec
# As a file of fpath, the script is the function's first call.
[[ \${funcstack[1]} != _carrierspec ]] || _carrierspec "$@"
`;

const fish = `# carrierspec completion fish > ~/.config/fish/completions/carrierspec.fish
function __carrierspec_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct | string trim -l -c '"\\'')
    set -l answers (carrierspec complete -- $words[2..-1] "$last" 2>/dev/null)
    set -l otherwise $answers[-1]
    set -e answers[-1]
    # Of --name=value and format=path, the part after = is completed.
    set -l before (string match -r -- '^.*=' "$last")
    set -l part (string replace -r -- '^.*=' '' "$last")
    if not count $answers >/dev/null
        switch "$otherwise"
            case ':files'
                set answers (__fish_complete_path "$part")
            case ':folders'
                set answers (__fish_complete_directories "$part")
        end
    end
    for answer in $answers
        printf '%s%s\\n' "$before" "$answer"
    end
end
complete -c carrierspec -e
complete -c carrierspec -f -a '(__carrierspec_complete)'
`;

export const completionScripts = { bash, zsh, fish };
