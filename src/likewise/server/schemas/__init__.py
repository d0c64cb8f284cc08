"""What requests and answers look like, by route; the OpenAPI document is made from it."""
