"""Base class of the modes that see every PyTorch operation."""

from torch.utils._python_dispatch import TorchDispatchMode


class DispatchMode(TorchDispatchMode):
    """PyTorch's own mode, without the import of its compiler, which takes a second."""

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # nothing is compiled here
