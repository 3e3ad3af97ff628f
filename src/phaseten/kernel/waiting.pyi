import numpy as np
from numpy.typing import NDArray

def all_set(marks: NDArray[np.uint8], looks: int) -> bool: ...
