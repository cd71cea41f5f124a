"""Episodes in a browser: a list of a run's episodes, and a page for each of them.

The addresses of a page, for links to it:

- served by `mirror-ray view DIR`: ``/episode/<episode_id>``
- written by `mirror-ray view DIR --static FOLDER`: ``FOLDER/<episode_id>.html``
- two side by side: ``/pair/<episode_id>/<episode_id>``; the run in progress: ``/live``
- at a step of either: ``#step-7``, the request of step 7 that counts; ``#step-7-try-1``, the first
  of those that were asked again

Text from models is shown as text only: every page is made by templates that escape, and its
Content-Security-Policy allows no script and no style but the viewer's own, by their hashes."""
