# Fish completion for dew.
set -l commands run check scenes plot report validate bench convert
complete -c dew -f
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a run -d "Simulate a scene"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a check -d "Check a scene and print the plan"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a scenes -d "List the bundled scenes"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a plot -d "Draw the curves of a run"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a report -d "Write an HTML page about a run"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a validate -d "Compare with theory and experiment"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a bench -d "Measure throughput"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -a convert -d "Convert a mesh"
complete -c dew -n "not __fish_seen_subcommand_from $commands" -l version -d "Show the version"
complete -c dew -l help -d "Show help"

set -l scene "__fish_seen_subcommand_from run check"
complete -c dew -n $scene -a "(dew scenes --names 2>/dev/null)" -d "Bundled scene"
complete -c dew -n $scene -F
complete -c dew -n $scene -l solver -x -a "volume surface apic shallow splash" -d "Solver"
complete -c dew -n $scene -l set -x -d "Change a value of the scene (KEY=VALUE)"

set -l run "__fish_seen_subcommand_from run"
complete -c dew -n $run -l until -x -d "Simulated time to end at"
complete -c dew -n $run -l resume -d "Go on from the checkpoint"
complete -c dew -n $run -l overwrite -d "Replace an earlier run"
complete -c dew -n $run -l quiet -d "No progress"

complete -c dew -n "__fish_seen_subcommand_from run plot report" -s o -l output -r -F -d "Where to write"
complete -c dew -n "__fish_seen_subcommand_from plot report convert" -F
complete -c dew -n "__fish_seen_subcommand_from scenes" -l names -d "Names only"
complete -c dew -n "__fish_seen_subcommand_from validate" -l quick -d "Quick cases only"
complete -c dew -n "__fish_seen_subcommand_from validate bench" -l json -d "As JSON"
complete -c dew -n "__fish_seen_subcommand_from validate bench" -l list -d "Name the cases"
complete -c dew -n "__fish_seen_subcommand_from run bench" -l threads -x -d "Number of threads"
complete -c dew -n "__fish_seen_subcommand_from validate" -a "(dew validate --list 2>/dev/null | cut -d' ' -f1)"
complete -c dew -n "__fish_seen_subcommand_from bench" -a "(dew bench --list 2>/dev/null | cut -d' ' -f1)"
complete -c dew -n "__fish_seen_subcommand_from convert" -l audit -d "Print what the mesh is like"
complete -c dew -n "__fish_seen_subcommand_from convert" -l ascii -d "Write text"
complete -c dew -n "__fish_seen_subcommand_from convert" -l double -d "Write double precision"
complete -c dew -n "__fish_seen_subcommand_from convert" -l keep -d "Repair nothing"
