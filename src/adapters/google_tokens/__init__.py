"""Google's tokens for pushed requests, through google-auth."""
