"""letters: what does a word say that is seen in a mirror?"""
