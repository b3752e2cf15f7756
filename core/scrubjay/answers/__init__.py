"""Search as a service: threads, freshness, deadline and the JSON of answers."""
