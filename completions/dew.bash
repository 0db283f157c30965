# Bash completion for dew.
_dew()
{
    local cur prev words cword
    _init_completion -n = 2>/dev/null || {
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD - 1]}
    }
    local commands="run check scenes plot report validate bench convert"
    local solvers="volume surface apic shallow splash"
    local command=${COMP_WORDS[1]} options="" files=no names=""

    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands --help --version" -- "$cur"))
        return
    fi
    case $prev in
        --solver) COMPREPLY=($(compgen -W "$solvers" -- "$cur")); return ;;
        --set | --until | --threads) return ;;
        -o | --output) COMPREPLY=($(compgen -f -- "$cur")); return ;;
    esac
    case $command in
        run)
            options="-o --output --solver --set --until --threads --resume --overwrite --quiet"
            names=$(dew scenes --names 2>/dev/null) files=yes ;;
        check)
            options="--solver --set --threads"
            names=$(dew scenes --names 2>/dev/null) files=yes ;;
        scenes) options="--names" ;;
        plot | report) options="-o --output" files=yes ;;
        validate) options="--quick --json" names=$(dew validate --names 2>/dev/null) ;;
        bench) options="--json" names=$(dew bench --names 2>/dev/null) ;;
        convert) files=yes ;;
        *) return ;;
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options --help" -- "$cur"))
    else
        COMPREPLY=($(compgen -W "$names" -- "$cur"))
        [ $files = no ] || COMPREPLY+=($(compgen -f -- "$cur"))
    fi
}
complete -o filenames -F _dew dew
