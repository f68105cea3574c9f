"""What every version line of the bindings shares: loading, errors, enums, handles, conversions."""
