"""The networks of the comparisons, as PyTorch modules whose layer numbers are those of Discreet's text form."""

import torch
from torch import nn


class GlobalAveragePool(nn.Module):
    """Channels x height x width to a vector of channels, so that no flatten takes a layer number."""

    def forward(self, x):
        return x.mean(dim=(-2, -1))


class Residual(nn.Module):
    """body(x) + projection(x)."""

    def __init__(self, body, projection):
        super().__init__()
        self.body = body  # registered first: its parameters come before the projection's
        self.projection = projection

    def forward(self, x):
        return self.body(x) + self.projection(x)


def mnist_cnn(inplace=False):
    return nn.Sequential(
        nn.Conv2d(1, 16, 8, stride=2, padding=3),
        nn.ReLU(inplace),
        nn.MaxPool2d(2, stride=1),
        nn.Conv2d(16, 32, 4, stride=2),
        nn.ReLU(inplace),
        nn.MaxPool2d(2, stride=1),
        nn.Flatten(),
        nn.Linear(512, 32),
        nn.ReLU(inplace),
        nn.Linear(32, 10),
    )


def cifar_cnn(inplace=False):
    return nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1),
        nn.ReLU(inplace),
        nn.AvgPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1),
        nn.ReLU(inplace),
        nn.AvgPool2d(2),
        nn.Conv2d(64, 64, 3, padding=1),
        nn.ReLU(inplace),
        nn.AvgPool2d(2),
        nn.Conv2d(64, 128, 3, padding=1),
        nn.ReLU(inplace),
        GlobalAveragePool(),
        nn.Linear(128, 10),
    )


def group_residual(inplace=False):
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1),
        nn.GroupNorm(4, 8, eps=1e-5),
        nn.ReLU(inplace),
        Residual(
            nn.Sequential(
                nn.Conv2d(8, 12, 3, stride=2, padding=1),
                nn.GroupNorm(4, 12, eps=1e-5),
                nn.ReLU(inplace),
                nn.Conv2d(12, 12, 3, padding=1),
                nn.GroupNorm(4, 12, eps=1e-5),
            ),
            nn.Conv2d(8, 12, 1, stride=2),
        ),
        nn.ReLU(inplace),
        GlobalAveragePool(),
        nn.Linear(12, 5),
    )


def mlp(inplace=False):
    return nn.Sequential(nn.Linear(784, 1000), nn.ReLU(inplace), nn.Linear(1000, 10))


# name: (how it is made, shape of one input, classes)
MODELS = {
    "mnist-cnn": (mnist_cnn, (1, 28, 28), 10),
    "cifar-cnn": (cifar_cnn, (3, 32, 32), 10),
    "group-residual": (group_residual, (3, 9, 9), 5),
    "mlp": (mlp, (784,), 10),
}
