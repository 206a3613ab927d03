"""Pure rules about relations between sections: which are asked for, what a reply says, and what typed lines mean."""
