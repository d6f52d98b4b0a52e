"""Arrays by what they hold, for annotations: one name for each kind of number."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Float32s = NDArray[np.float32]
Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Int16s = NDArray[np.int16]
Int8s = NDArray[np.int8]
Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
"""Sets as bits, 64 in a word, and the state of a random generator."""
Bools = NDArray[np.bool_]
