# Bash completion for dew.
_dew()
{
    local program=$1 cur=$2 prev=$3 command=${COMP_WORDS[1]}
    local commands="run check render view scenes plot report export validate bench convert"
    local solvers="volume surface apic shallow splash"
    local options="" names="" files=no

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$cur")
        return
    fi
    case $prev in
        --solver) mapfile -t COMPREPLY < <(compgen -W "$solvers" -- "$cur"); return ;;
        --set | --until | --threads | --frame | --size | --samples | --noise | --subdivide | \
            --exposure | --fps | --frames | --scale) return ;;
        --up) mapfile -t COMPREPLY < <(compgen -W "y z" -- "$cur"); return ;;
        --split) mapfile -t COMPREPLY < <(compgen -W "drops" -- "$cur"); return ;;
        --engine) mapfile -t COMPREPLY < <(compgen -W "ray gl" -- "$cur"); return ;;
        -o | --output | --script) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
    esac
    case $command in
        run)
            options="-o --output --solver --set --until --threads --resume --overwrite --quiet"
            names=$("$program" scenes --names 2>/dev/null) files=yes ;;
        check)
            options="--solver --set"
            names=$("$program" scenes --names 2>/dev/null) files=yes ;;
        render)
            options="-o --output --frame --engine --size --samples --noise --denoise --subdivide
                --exposure --fps --set --threads --quiet"
            names=$("$program" scenes --names 2>/dev/null) files=yes ;;
        view)
            options="--size --paused --offscreen --script --solver --set --threads --quiet"
            names=$("$program" scenes --names 2>/dev/null) files=yes ;;
        scenes) options="--names" ;;
        plot | report) options="-o --output" files=yes ;;
        export) options="-o --output --frames --up --scale --split --quiet" files=yes ;;
        validate)
            options="--quick --json --list"
            names=$("$program" validate --list 2>/dev/null | cut -d" " -f1) ;;
        bench)
            options="--json --threads --list"
            names=$("$program" bench --list 2>/dev/null | cut -d" " -f1) ;;
        convert) options="--audit --ascii --double --keep" files=yes ;;
        *) return ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$cur")
    else
        mapfile -t COMPREPLY < <(
            compgen -W "$names" -- "$cur"
            [ $files = no ] || compgen -f -- "$cur"
        )
    fi
}
complete -o filenames -F _dew dew
