"""Games in numbers: matches, ratings, statistics and odds."""
