# Completion of tx for fish. Once:
#   tx completion fish > ~/.config/fish/completions/tx.fish
# or in ~/.config/fish/config.fish:
#   tx completion fish | source

function __tx_complete
    set -l program tx
    set -l typed (commandline -opc)
    if string match -q '*/*' -- "$typed[1]"
        set program (string replace -r '^~/' "$HOME/" -- $typed[1])
    end
    set -l line (commandline -cp | string collect)
    set -l answer (command $program --complete fish "$line" 2>/dev/null </dev/null)
    set -l hints "$answer[1]"
    set -e answer[1]
    if set -q answer[1]
        printf '%s\n' $answer
    end
    set -l word (commandline -ct)
    set -l option (string match -r -- '^--[^=]*=' $word) # a path may follow it
    set -l path (string replace -- "$option" '' $word)
    if string match -q '*files*' -- $hints
        __fish_complete_path $path | string replace -r -- '^' "$option"
    end
    if string match -q '*directories*' -- $hints
        __fish_complete_directories $path '' | string replace -r -- '^' "$option"
    end
end

complete -c tx -f -k -a '(__tx_complete)'
