# hetune: make demo, make test; make help lists the rest.
# SPDX-License-Identifier: GPL-3.0-or-later

CC       ?= gcc
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
BUILD    ?= build
VERSION  := 0.1.0
COMMIT   := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

# Results must not depend on the compiler: these are not to be overridden.
override CFLAGS += -std=gnu11 -ffp-contract=off -fvisibility=hidden -MMD -MP
WARN     := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wformat=2 -Wstrict-prototypes \
            -Wmissing-prototypes -Wvla -Wundef -Wcast-qual -Wwrite-strings -Werror
PKGS     := gsl yaml-0.1 libcjson libmd
CPPFLAGS += -I. $(shell pkg-config --cflags $(PKGS) 2>/dev/null) -D_GNU_SOURCE
LIBS     := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lm -ldl
# Plug-ins see what is marked SIM_API and nothing more.
LDFLAGS  += -rdynamic

LIB_SRC  := $(wildcard sim/base/*.c sim/text/*.c sim/model/*.c sim/engine/*.c analysis/*.c \
              policies/*.c policies/lib/*.c policies/tuners/*.c)
CLI_SRC  := $(wildcard sim/cli/*.c)
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ  := $(CLI_SRC:%.c=$(BUILD)/%.o)

.PHONY: all deps demo test bench lint install uninstall clean help
all: $(BUILD)/hetune

$(BUILD)/hetune: $(CLI_OBJ) $(LIB_OBJ)
	@echo '  LINK  $@'
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo '  CC    $<'
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(WARN) -c -o $@ $<

# Only this object depends on the commit, and only when it changes.
$(BUILD)/sim/base/version.o: CPPFLAGS += -DHETUNE_VERSION='"$(VERSION)"' -DHETUNE_COMMIT='"$(COMMIT)"'
$(BUILD)/sim/base/version.o: $(BUILD)/commit
$(BUILD)/commit: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(COMMIT)' | cmp -s - $@ || echo '$(VERSION) $(COMMIT)' > $@
FORCE:

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)
