"""App profiles, instances, reset and state sources: what one application needs, seen from outside its screen."""
