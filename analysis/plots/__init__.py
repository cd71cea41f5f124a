"""The figures, one file each: rows in, a Vega-Lite chart out."""
