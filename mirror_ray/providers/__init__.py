"""Sources of replies: hosted models through litellm, and offline agents that see what a model
sees."""
