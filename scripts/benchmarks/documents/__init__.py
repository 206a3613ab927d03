"""Documents: what reading and searching them costs, and how often the sections that answer a question are found."""
