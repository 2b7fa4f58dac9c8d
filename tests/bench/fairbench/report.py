# SPDX-License-Identifier: Apache-2.0
"""A report of sections, as text for a terminal, as Markdown and as JSON."""

import dataclasses
import json
import os


def as_text(section):
    table = [section.columns] + section.rows
    widths = [max(len(str(row[i])) for row in table)
              for i in range(len(section.columns))]
    lines = ["  ".join(str(cell).ljust(width) for cell, width in zip(row, widths))
             for row in table]
    lines += section.notes
    lines += [f"{'holds' if bar.holds else 'SHORT'}  {bar.text}"
              for bar in section.bars]
    return "\n".join(line.rstrip() for line in lines)


def _markdown(section):
    lines = [f"## {section.title}", ""]
    lines.append("| " + " | ".join(section.columns) + " |")
    lines.append("| " + " | ".join("---" for _ in section.columns) + " |")
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |"
              for row in section.rows]
    lines.append("")
    lines += section.notes
    lines += [f"- {'holds' if bar.holds else '**falls short**'}: {bar.text}"
              for bar in section.bars]
    return "\n".join(lines) + "\n"


def write(directory, machine, sections):
    """Writes report.md and report.json there, and makes the directory."""
    os.makedirs(directory, exist_ok=True)
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    with open(os.path.join(directory, "report.md"), "w", encoding="utf-8") as file:
        file.write("# What fairsched does on this node\n\n" + facts + "\n\n")
        file.write("\n".join(_markdown(section) for section in sections))
    with open(os.path.join(directory, "report.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": machine,
                   "sections": [dataclasses.asdict(s) for s in sections]},
                  file, indent=1)
