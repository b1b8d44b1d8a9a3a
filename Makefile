# hetune: `make demo` and `make test` are the two that matter; `make help` lists the rest.
# SPDX-License-Identifier: GPL-3.0-or-later

ifeq ($(origin CC),default)
CC       := gcc
endif
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
BUILD    ?= build
JOBS     ?= $(shell nproc 2>/dev/null || echo 1)
VERSION  := 0.1.0
COMMIT   := $(shell git describe --always --dirty 2>/dev/null || echo unknown)
DATE     := $(shell git log -1 --format=%cs 2>/dev/null)

# Results must not depend on the compiler: these are not to be overridden.
override CFLAGS += -std=gnu11 -ffp-contract=off -fvisibility=hidden -fPIE -MMD -MP
WARN     := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wformat=2 -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Werror
PKGS     := gsl yaml-0.1 libcjson libmd
CPPFLAGS += -I. $(shell pkg-config --cflags $(PKGS) 2>/dev/null) -D_GNU_SOURCE
LIBS     := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lglpk -lm -ldl
# Plug-ins see what is marked SIM_API and nothing more.
LDFLAGS  += -rdynamic -pie

LIB_SRC  := $(wildcard sim/base/*.c sim/text/*.c sim/model/*.c sim/engine/*.c analysis/*.c \
              policies/*.c policies/lib/*.c policies/tuners/*.c policies/tuners/lib/*.c)
CLI_SRC  := $(wildcard sim/cli/*.c)
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/analysis/plots/scripts.o
CLI_OBJ  := $(CLI_SRC:%.c=$(BUILD)/%.o)

all: $(BUILD)/hetune                            ## build the command

$(BUILD)/hetune: $(CLI_OBJ) $(LIB_OBJ)
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c -o $@ $<

# ---- the scripts of analysis/plots/ as C: one array of lines each ----
PLOT_GP := $(sort $(wildcard analysis/plots/*.gp))
$(BUILD)/analysis/plots/scripts.c: $(PLOT_GP)
	@mkdir -p $(@D)
	@echo '  GEN   $@'
	@{ echo '#include "analysis/plot_kinds.h"'; \
	   for f in $(PLOT_GP); do n=$$(basename $$f .gp); \
	       echo "static const char *const $${n}_lines[] = {"; \
	       sed -e 's/[\\"]/\\&/g' -e 's/.*/    "&\\n",/' $$f; echo '    NULL};'; done; \
	   echo 'const struct plot_script plot_scripts[] = {'; \
	   for f in $(PLOT_GP); do n=$$(basename $$f .gp); echo "    {\"$$n\", $${n}_lines},"; done; \
	   echo '    {NULL, NULL}};'; } > $@.tmp && mv $@.tmp $@
$(BUILD)/analysis/plots/scripts.o: $(BUILD)/analysis/plots/scripts.c
	@echo '  CC    $<'
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c -o $@ $<
# ---- end of the scripts ----

# Only this object depends on the commit, and only when it changes.
$(BUILD)/sim/base/version.o: CPPFLAGS += -DHETUNE_VERSION='"$(VERSION)"' -DHETUNE_COMMIT='"$(COMMIT)"' -DHETUNE_DATE='"$(DATE)"'
$(BUILD)/sim/base/version.o: $(BUILD)/commit
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT)' > $@
FORCE:

# ---- what is needed, on Debian ----

NEED_RUN  := gcc pkg-config libgsl-dev libyaml-dev libcjson-dev libmd-dev libglpk-dev gnuplot-nox
NEED_TEST := $(NEED_RUN) libcriterion-dev clang git librsvg2-bin poppler-utils libxml2-utils strace python3 mandoc zsh fish
WANT_TEST := chromium
NEED_LINT := $(NEED_TEST) clang-format clang-tidy cppcheck universal-ctags

deps:                                           ## install missing packages (root or sudo)
	@tests/deps.sh $(NEED_RUN)
deps-test:
	@tests/deps.sh $(NEED_TEST)
	@tests/deps.sh $(WANT_TEST) || echo 'not to be had: $(WANT_TEST); the tests say what they leave out'
deps-lint:
	@tests/deps.sh $(NEED_LINT)

# Packages may have just been installed: their flags are looked up by a new make.
demo: deps                                      ## install what is missing, build, run the main job
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@analysis/demo.sh $(BUILD)/hetune
test: deps-test                                 ## install what is missing, build, run all tests
	@$(MAKE) --no-print-directory -j$(JOBS) all build-tests
	@BUILD=$(BUILD) tests/run.sh
bless: all                                      ## write what is printed into the transcripts
	@BIN=$(BUILD) tests/transcripts.sh --bless tests/golden/*.t tests/bad/*.t
docs: all                                       ## write generated pages and the picture again
	@{ printf '# Keys of configurations\n\nMade by `hetune list keys`; `make docs` writes it again.\n\n```\n'; $(BUILD)/hetune list keys; echo '```'; } > docs/keys.md
	@rm -rf $(BUILD)/docs && $(BUILD)/hetune run configs/runs/demo.yaml -q -o $(BUILD)/docs > /dev/null
	@$(BUILD)/hetune plot $(BUILD)/docs --kind hpo_time > /dev/null && cp $(BUILD)/docs/plots/hpo_time.svg docs/demo.svg
paper: deps                                     ## every figure and table of configs/studies, into BUILD/paper
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@analysis/paper.sh $(BUILD)/hetune configs/studies $(BUILD)/paper
validate: deps                                  ## the step model against measured steps: tables, and pictures in BUILD/validate
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(BUILD)/hetune accuracy configs/validation/split.yaml -o $(BUILD)/validate
calibrations: all                               ## fit configs/costs/gpus and stacks.yaml again, from traces/
	@sh configs/costs/calibrate.sh $(BUILD)/hetune
	@$(BUILD)/hetune accuracy configs/validation/split.yaml -o $(BUILD)/validate > /dev/null && cp $(BUILD)/validate/stacks.yaml configs/costs/
bench: all $(BUILD)/bench                       ## benchmarks, into docs/bench.md
	@BUILD=$(BUILD) tests/perf/run.sh
lint: deps-lint                                 ## layers, headers, format, analysers
	@tests/lint.sh
data: $(CONVERTERS)                             ## make traces/ again: make data DATA=folder of public files
	@test -n '$(DATA)' || { echo 'make data DATA=FOLDER'; exit 2; }
	@CONVERTERS=$(BUILD)/convert traces/convert/convert.sh $(DATA)

# ---- converters ----

CONVERT_SRC := $(wildcard traces/convert/*.c)
CONVERTERS  := $(CONVERT_SRC:traces/convert/%.c=$(BUILD)/convert/%)
TEXT_OBJ    := $(filter $(BUILD)/sim/base/%.o $(BUILD)/sim/text/%.o,$(LIB_OBJ))

data: $(CONVERTERS)
$(BUILD)/convert/%: $(BUILD)/traces/convert/%.o $(TEXT_OBJ)
	@mkdir -p $(@D)
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# ---- CUDA microbenchmarks: nothing else needs CUDA ----

CUDA        ?= /usr/local/cuda
NVCC        ?= $(CUDA)/bin/nvcc
# What a library's header is looked for in: where it is, the benchmarks that need it are built.
CUDA_INC    := $(CUDA)/include /usr/include /usr/include/x86_64-linux-gnu /usr/include/aarch64-linux-gnu
CUDA_USES   := $(if $(wildcard $(CUDA_INC:%=%/cudnn.h)),cudnn) $(if $(wildcard $(CUDA_INC:%=%/nccl.h)),nccl)
# The GPU of this machine, or all generations that nvcc knows.
CUDA_ARCH   ?= $(if $(shell nvidia-smi -L 2>/dev/null),native,all-major)
NVCC_FLAGS  := -O2 -std=c++17 -arch=$(CUDA_ARCH) -I. -D_GNU_SOURCE -Werror all-warnings -MMD -MP \
               -Xcompiler -Wall,-Wextra,-Wno-missing-field-initializers
MB_USES     := $(CUDA_USES:%=-DMB_%)
MB_USES     := $(subst cudnn,CUDNN,$(subst nccl,NCCL,$(MB_USES)))
MB_SRC      := $(wildcard analysis/microbench/*.c)
MB_CU       := $(wildcard analysis/microbench/*.cu)
# Plain C that needs no device: the unit tests have it too.
MB_HOST     := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/main.c %/table.c,$(MB_SRC)))
MB_OBJ      := $(MB_SRC:%.c=$(BUILD)/%.o) $(MB_CU:%.cu=$(BUILD)/%.cu.o)
MB_BASE     := $(patsubst %,$(BUILD)/sim/%.o,base/mem base/diag base/utf8 base/bug text/out text/num)

microbench: $(if $(wildcard $(NVCC)),$(BUILD)/microbench/microbench,no-nvcc) ## build the CUDA microbenchmarks
no-nvcc:
	@echo 'make microbench: nvcc is missing; install CUDA 11.5 or later, or say CUDA=FOLDER; $(NVCC) is not there' >&2; exit 2
$(BUILD)/microbench/microbench: $(MB_OBJ) $(MB_BASE)
	@mkdir -p $(@D)
	@echo '  LINK  $@'
	@$(NVCC) -o $@ $^ -Xlinker -rpath,$(CUDA)/lib64 -lcublas $(CUDA_USES:%=-l%) -ldl
$(BUILD)/analysis/microbench/main.o: CPPFLAGS += -DHETUNE_COMMIT='"$(COMMIT)"'
$(BUILD)/analysis/microbench/main.o: $(BUILD)/commit
$(BUILD)/%.cu.o: %.cu
	@mkdir -p $(@D)
	@echo '  NVCC  $<'
	@$(NVCC) $(NVCC_FLAGS) $(MB_USES) -c -o $@ $<

# ---- tests ----

UNIT_SRC := $(wildcard tests/unit/*.c tests/laws/*.c)
UNIT_OBJ := $(UNIT_SRC:%.c=$(BUILD)/%.o)
# The engine, and the slow twin in its place.
TWIN_SLOW := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/property/slow_*.c))
TWIN_BOTH := $(filter-out $(TWIN_SLOW),$(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/property/*.c)))
ENGINE    := $(filter-out %/record.o,$(filter $(BUILD)/sim/engine/%.o,$(LIB_OBJ)))

build-tests: $(BUILD)/test/unit $(BUILD)/test/twin_fast $(BUILD)/test/twin_slow $(BUILD)/bench $(CONVERTERS)

$(BUILD)/test/unit: $(UNIT_OBJ) $(LIB_OBJ) $(MB_HOST)
	@mkdir -p $(@D)
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcriterion
$(BUILD)/test/twin_fast: $(TWIN_BOTH) $(LIB_OBJ)
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(BUILD)/test/twin_slow: $(TWIN_BOTH) $(TWIN_SLOW) $(filter-out $(ENGINE),$(LIB_OBJ))
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(UNIT_OBJ): WARN += -Wno-missing-prototypes -Wno-pedantic

$(BUILD)/bench: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/perf/*.c)) $(LIB_OBJ)
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# ---- installing ----

PUBLIC  := policy.h experiment.h oracle.h balance.h tuner.h types.h field.h heap.h
SHARE    = $(DESTDIR)$(PREFIX)/share/hetune
INCLUDE  = $(DESTDIR)$(PREFIX)/include/hetune/sim
PKGDIR   = $(DESTDIR)$(PREFIX)/lib/pkgconfig
MANDIR   = $(DESTDIR)$(PREFIX)/share/man/man1
BASHDIR  = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
FISHDIR  = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
# Where Debian's zsh looks: packages have a folder of their own.
ZSHDIR   = $(DESTDIR)$(PREFIX)/share/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)

install: all                                    ## into DESTDIR and PREFIX
	install -d $(DESTDIR)$(PREFIX)/bin $(INCLUDE) $(PKGDIR) $(SHARE)/examples $(MANDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR)
	install $(BUILD)/hetune $(DESTDIR)$(PREFIX)/bin/hetune
	install -m 644 $(PUBLIC:%=sim/%) $(INCLUDE)
	sed 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|' hetune.pc.in > $(PKGDIR)/hetune.pc
	cp -R configs traces $(SHARE)
	rm -rf $(SHARE)/traces/convert $(SHARE)/configs/models/*.py
	install -m 644 examples/* $(SHARE)/examples
	$(BUILD)/hetune self man -o $(MANDIR)
	install -m 644 sim/cli/completion/hetune.bash $(BASHDIR)/hetune
	install -m 644 sim/cli/completion/hetune.zsh $(ZSHDIR)/_hetune
	install -m 644 sim/cli/completion/hetune.fish $(FISHDIR)/hetune.fish
uninstall:                                      ## remove what install made
	rm -f $(DESTDIR)$(PREFIX)/bin/hetune $(PKGDIR)/hetune.pc $(MANDIR)/hetune.1 $(MANDIR)/hetune-*.1
	rm -f $(BASHDIR)/hetune $(ZSHDIR)/_hetune $(FISHDIR)/hetune.fish
	rm -rf $(DESTDIR)$(PREFIX)/include/hetune $(SHARE)

clean:                                          ## remove what was built
	rm -rf $(BUILD)
help:                                           ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: all deps deps-test deps-lint demo test bless docs paper validate calibrations bench lint data build-tests microbench no-nvcc install uninstall clean help FORCE

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(UNIT_OBJ:.o=.d) $(TWIN_BOTH:.o=.d) $(TWIN_SLOW:.o=.d) $(patsubst %.c,$(BUILD)/%.d,$(wildcard tests/perf/*.c)) $(MB_OBJ:.o=.d)
