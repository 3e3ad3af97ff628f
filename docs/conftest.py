"""What in this folder is no test: a part of the site's tools, which come with the extra ``docs``."""

collect_ignore = ["doctest_fences.py"]
