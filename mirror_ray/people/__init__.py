"""People as models: a sweep's episodes, played in a browser by people who agreed to.

A person is a model called ``human/<id>``, asked like every model through the family's own
generator: the same words and pictures, the same readers, the same rows. The difference is who
answers and how long it takes: minutes between two requests, days between two visits to the page.
Therefore this is a separate process, without Ray. It locks the run directory as a run does, its
requests wait for a browser, and its Recorder makes each answer durable before the next page is
shown. A run of the same directory plays the models and leaves out people's episodes.
"""
