"""The man page, the manual and the shell completions name every command and option, and no other.

Pages that name a comparison (`dew validate NAME`), a benchmark (`dew bench NAME`) or a bundled scene (`dew run NAME`) name one that exists.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = ["run", "check", "render", "view", "scenes", "plot", "report", "export", "validate", "bench", "convert"]
OPTION = re.compile(r"(?<![\w-])--[a-z]+")


def text(name):
    return (ROOT / name).read_text()


def help_of(dew, *words):
    done = subprocess.run([dew, *words, "--help"], capture_output=True, text=True, timeout=10)
    assert done.returncode == 0, f"dew {' '.join(words)} --help: exit code {done.returncode}"
    return done.stdout


def man_section(page, command):
    """What the man page says of one command: from its line to the next command's."""
    return re.search(rf"^\*{command}\*.*?(?=^\*|^#)", page, re.MULTILINE | re.DOTALL).group()


def listed(dew, *words):
    done = subprocess.run([dew, *words], capture_output=True, text=True, timeout=10)
    assert done.returncode == 0, f"dew {' '.join(words)}: {done.stderr}"
    return {line.split()[0] for line in done.stdout.splitlines() if line.strip()}


def wrong_names(dew):
    """Names in commands of the pages that `dew` does not know. A command may go on over the end of a line."""
    known = {"validate": listed(dew, "validate", "--list"), "bench": listed(dew, "bench", "--list"),
             "run": listed(dew, "scenes"), "check": listed(dew, "scenes")}
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for command in re.findall(r"`(?:build/)?dew ([^`]*)`", page.read_text()):
            words = command.split()
            if not words or words[0] not in known:
                continue
            for name in words[1:]:
                if not re.fullmatch(r"[a-z_0-9]+", name):
                    break  # an option, a placeholder or a path
                if name not in known[words[0]]:
                    yield f"{page.relative_to(ROOT)}: dew {words[0]} knows no {name}"


def main():
    dew = sys.argv[1]
    overview = help_of(dew)
    documents = {name: text(name) for name in
                 ("docs/man/dew.1.scd", "docs/manual/commands.md", "completions/dew.bash",
                  "completions/_dew", "completions/dew.fish")}
    wrong = []
    options = {"--help", "--version"}
    for command in COMMANDS:
        if not re.search(rf"^\s*(dew )?{command}\b", overview, re.MULTILINE):
            wrong.append(f"dew --help does not list {command}")
        own = set(OPTION.findall(help_of(dew, command)))
        documented = set(OPTION.findall(man_section(documents["docs/man/dew.1.scd"], command)))
        wrong += [f"the man page's {command} and its --help differ in {option}"
                  for option in sorted(own ^ documented)]
        options |= own
        for name, words in documents.items():
            if not re.search(rf"\b{command}\b", words):
                wrong.append(f"{name} does not name the command {command}")
    for name, words in documents.items():
        # fish writes "-l quiet" for --quiet
        named = set(OPTION.findall(words)) | {"--" + word for word in re.findall(r"complete .* -l (\w+)", words)}
        wrong += [f"{name} does not name {option}" for option in sorted(options - named)]
        wrong += [f"{name} names {option}, which no command has" for option in
                  sorted(named - options - {"--static"})]
    wrong += wrong_names(dew)
    print("\n".join(wrong) or f"{len(COMMANDS)} commands and {len(options)} options are documented")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
