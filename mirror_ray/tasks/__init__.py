"""The benchmark families, each in its own folder."""
