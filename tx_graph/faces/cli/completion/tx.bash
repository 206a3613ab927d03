# Completion of tx for bash. In ~/.bashrc:
#   eval "$(tx completion bash)"
# or, where the bash-completion package is installed, once:
#   mkdir -p ~/.local/share/bash-completion/completions
#   tx completion bash > ~/.local/share/bash-completion/completions/tx

# Works in the user's own shell, so under any of its settings (set -e, set -u, IFS), and in bash 3.2 too.
_tx_completion() {
    local program=tx answer hints='' value
    COMPREPLY=()
    case $1 in
        */*) program=${1/#\~\//${HOME-}/} ;;
    esac
    # The whole line goes there: bash has broken its words at the colons. "$2" is what bash will replace.
    answer=$(command "$program" --complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null </dev/null) || return 0
    {
        IFS= read -r hints || :
        while IFS= read -r value; do
            COMPREPLY+=("$value")
        done
    } <<<"$answer"
    compopt -o nosort 2>/dev/null || :
    case " $hints " in
        *' open '*) compopt -o nospace 2>/dev/null || : ;;
    esac
    case " $hints " in
        *' names '*) compopt -o filenames 2>/dev/null || : ;;
        *' directories '*) compopt -o dirnames 2>/dev/null || _tx_completion_paths -d "$2" ;;
        *' files '*)
            # Readline's own completion is best, but it only comes when there is nothing else.
            if [[ -n ${COMPREPLY[*]-} ]] || ! compopt -o default 2>/dev/null; then
                _tx_completion_paths -f "$2"
            fi
            ;;
    esac
    return 0
}

_tx_completion_paths() {
    local path
    compopt -o filenames 2>/dev/null || :
    while IFS= read -r path; do
        if [[ -n $path ]]; then
            COMPREPLY+=("$path")
        fi
    done <<<"$(compgen "$1" -- "$2")"
}

complete -F _tx_completion tx
