#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the lists of operators of this folder again: configs/models/make.py [FOLDER]

Networks are built as their public code builds them, with the shapes that it resolves to; a model is
a row of MODELS, with its published counts, and a function that builds it: in images.py for networks
of images, in sequences.py for those of tokens.
"""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import images
import sequences
from oplist import write

if __name__ == "__main__":
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for model in images.MODELS + sequences.MODELS:
        write(folder, model)
