"""PyTorch, or the advice to install it; on one thread, so that the same seed gives the same net."""

from manhunt.core.errors import missing_extra

try:
    import torch
except ImportError:
    raise missing_extra("PyTorch is not installed; get it with", "learn") from None

torch.set_num_threads(1)

__all__ = ["torch"]
