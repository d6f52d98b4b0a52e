"""PyTorch, or the advice to install it; on one thread, so that the same seed gives the same net."""

from manhunt.core.errors import MissingExtra

try:
    import torch
except ImportError:
    raise MissingExtra("PyTorch is not installed; get it with: pip install 'manhunt[rl]'") from None

torch.set_num_threads(1)

__all__ = ["torch"]
