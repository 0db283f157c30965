# The short way to everything; `make help` lists it. The work is done by CMake and scripts/.
.POSIX:
.PHONY: all help demo gallery videos check clients validate bench format lint fuzz soak install clean

PREFIX = /usr/local
CMAKE = cmake

all:  ## build the program and library (release, in build/)
	$(CMAKE) --preset release
	$(CMAKE) --build build

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile | expand -t 12

demo:  ## install what is missing, build, run a first scene, plot it and report on it
	scripts/setup demo
	scripts/demo

gallery:  ## draw one image of every bundled scene into docs/gallery
	scripts/setup demo
	scripts/gallery

videos:  ## make a short video of every bundled scene in docs/gallery
	scripts/setup demo
	scripts/gallery --videos

check:  ## install what is missing, build and run every test, also under sanitizers
	scripts/setup check
	scripts/check

clients: build/dew  ## open exports by gltf-validator, Blender, and three.js and tinyusdz in a browser (1 GB)
	scripts/setup clients
	scripts/clients

validate: build/dew  ## compare with theory and experiment, all cases
	build/dew validate

bench: build/dew  ## measure throughput
	build/dew bench

build/dew: all

format:  ## format the C sources in place
	scripts/format

lint:  ## clang-tidy, cppcheck, layers, references, places, shape, words, API
	scripts/lint

fuzz:  ## fuzz every reader for a minute
	scripts/fuzz --runs 0 --seconds 60 --seed 0

soak:  ## run and judge random scenes for an hour (scripts/soak --help tells more)
	scripts/soak

install: all  ## install to PREFIX (default /usr/local; DESTDIR is honoured)
	$(CMAKE) --install build --prefix $(PREFIX)

clean:  ## remove what was built
	rm -rf build build-debug build-clang build-sanitize build-tsan build-fuzz build-fuzz-fast
