"""How results look: JSON shapes for programs, lines and tables for people, bars for the impatient."""
