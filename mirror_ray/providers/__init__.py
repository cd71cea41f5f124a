"""Sources of replies: hosted models, and offline agents that see what a model sees."""
