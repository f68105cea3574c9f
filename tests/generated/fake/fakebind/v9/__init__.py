"""The one line of these miniature bindings."""
