#compdef tx
# Completion of tx for zsh. In ~/.zshrc, after compinit:
#   eval "$(tx completion zsh)"
# or once, into a directory of $fpath:
#   mkdir -p ~/.zfunc && tx completion zsh > ~/.zfunc/_tx
#   and in ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath)

_tx() {
    local program=tx line hints row value
    local -a answer described space
    [[ $words[1] == */* ]] && program=${~${(Q)words[1]}}
    line="${(j: :)words[1,CURRENT-1]} ${(qq)${(Q)PREFIX}}"
    answer=("${(@f)$(command $program --complete zsh $line 2>/dev/null </dev/null)}")
    hints=" $answer[1] "
    for row in "${(@)answer[2,-1]}"; do
        # _describe parts a value from its description at the first colon that has no backslash.
        value=${${row%%$'\t'*}//:/\\:}
        [[ $row == *$'\t'* ]] && value+=":${row#*$'\t'}"
        described+=("$value")
    done
    [[ $hints == *' open '* ]] && space=(-S '')

    local found=1
    (( $#described )) && _describe -V -t values tx described "${(@)space}" && found=0
    [[ $PREFIX == --*=* ]] && compset -P '*=' # the path in --option=path
    [[ $hints == *' files '* ]] && _files && found=0
    [[ $hints == *' directories '* ]] && _files -/ && found=0
    return found
}

if [[ "${funcstack[1]-}" == _tx ]]; then
    _tx "$@" # loaded from $fpath, by the first press of Tab
else
    if ! whence compdef >/dev/null; then
        autoload -Uz compinit && compinit
    fi
    compdef _tx tx
fi
