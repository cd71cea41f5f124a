"""People as models: a sweep's episodes, played in a browser by people who agreed to it.

A person is a model called ``human/<id>``, which is asked like every model through the family's
own generator: the same words and pictures, the same readers, the same rows. People play in a
separate process, without Ray, because they take minutes per request and days between visits. It
locks the run directory as a run does, and makes each answer durable before it shows the next page.
A run of the same directory plays the models and leaves out people's episodes."""
