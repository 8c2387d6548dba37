"""tasksieve: from a running application to proven tasks. Imports nothing, so that ``--help`` stays quick."""
