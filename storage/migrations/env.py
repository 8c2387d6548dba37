"""Runs the migrations on the connection and in the transaction that ``storage.schema`` hands over; nothing else."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
