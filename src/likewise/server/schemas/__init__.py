"""Requests and answers by route; FastAPI makes the OpenAPI document from them."""
