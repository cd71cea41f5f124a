"""Episodes in a browser: a list of a run's episodes, and a page for each of them.

Where a page is found, for whoever links to it:

- served by `mirror-ray view DIR`: ``/episode/<episode_id>``
- written by `mirror-ray view DIR --static FOLDER`: ``FOLDER/<episode_id>.html``
- at a step of either: ``#step-7``, the ask of step 7 that counts; ``#step-7-try-1`` is the first of
  those that were asked again.

What models wrote is shown as text and nothing else: every page is made by templates that escape,
and its Content-Security-Policy allows no script and no style but the viewer's own, by their hashes.
"""
