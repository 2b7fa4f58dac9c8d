# SPDX-License-Identifier: Apache-2.0
"""The experiments, in the order of the report."""

from . import (fairness, groups, limit, messages, part_time, rows, shares, smp,
               steal, wake, window, work)

ALL = (shares, messages, steal, limit, groups, window, smp, work,
       part_time, wake, fairness, rows)
