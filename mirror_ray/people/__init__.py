"""People as models: a sweep's episodes, played in a browser by people who agreed to.

A person is a model called ``human/<id>``, asked by `engine.rollout` as every model is, through the
family's own generator: the same words and pictures, the same readers, the same rows. What differs
is who answers and how long it takes: minutes between two asks, days between two visits to the page.
So this is a separate process, without Ray: it locks the run directory as a run does, its requests
wait for a browser, and its Recorder makes each answer durable before the next page is shown. A run
of the same directory plays the models, and leaves people's episodes aside.
"""
