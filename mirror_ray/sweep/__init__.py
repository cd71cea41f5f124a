"""From a YAML file to cells and episodes; all validation happens here."""
