# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks of images: ImageNet as in torchvision (Inception-v4 as in timm), CIFAR-10 as cited."""
from oplist import Model, Tensor

IMAGENET, INCEPTION, CIFAR = 4 * 3 * 224 * 224, 4 * 3 * 299 * 299, 4 * 3 * 32 * 32


def conv_norm(net, x, out, kernel, stride=1, pad=0, bias=False):
    return net.norm(net.conv(x, out, kernel, stride, pad, bias))


def conv_norm_relu(net, x, out, kernel, stride=1, pad=0, bias=False):
    return net.each("relu", conv_norm(net, x, out, kernel, stride, pad, bias))


def conv_relu(net, x, out, kernel, stride=1, pad=0):
    return net.each("relu", net.conv(x, out, kernel, stride, pad, bias=True))


def classify(net, x, classes, drop=False):
    """Global average, dropout where there is one, linear, loss."""
    x = net.avg_pool(x, x.height)
    if drop:
        x = net.each("dropout", x, training=True)
    net.loss(net.linear(x, classes))


# ---- residual networks ----

def basic(net, x, out, stride, project=True):
    """project: where shapes change, by a convolution (option B); otherwise by padding (A)."""
    y = conv_norm_relu(net, x, out, 3, stride, 1)
    y = conv_norm(net, y, out, 3, 1, 1)
    if x.size != y.size:
        if project:
            conv_norm(net, x, out, 1, stride)
        else:
            net.each("copy", y)
    return net.each("relu", net.each("add", y))


def bottleneck(net, x, width, stride):
    y = conv_norm_relu(net, x, width, 1)
    y = conv_norm_relu(net, y, width, 3, stride, 1)
    y = conv_norm(net, y, 4 * width, 1)
    if x.size != y.size:
        conv_norm(net, x, 4 * width, 1, stride)
    return net.each("relu", net.each("add", y))


def resnet(blocks):
    def build(net):
        x = conv_norm_relu(net, Tensor(3, 224, 224), 64, 7, 2, 3)
        x = net.max_pool(x, 3, 2, 1)
        for stage, n in enumerate(blocks):
            for i in range(n):
                x = bottleneck(net, x, 64 << stage, 2 if stage > 0 and i == 0 else 1)
        classify(net, x, 1000)
    return build


def resnet18_cifar(net):
    x = conv_norm_relu(net, Tensor(3, 32, 32), 64, 3, 1, 1)
    for stage in range(4):
        for i in range(2):
            x = basic(net, x, 64 << stage, 2 if stage > 0 and i == 0 else 1)
    classify(net, x, 10)


def resnet_cifar(layers):
    def build(net):
        x = conv_norm_relu(net, Tensor(3, 32, 32), 16, 3, 1, 1)
        for stage in range(3):
            for i in range((layers - 2) // 6):
                x = basic(net, x, 16 << stage, 2 if stage > 0 and i == 0 else 1, project=False)
        classify(net, x, 10)
    return build


# ---- plain networks ----

VGG16 = (64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512, 0)


def hidden(net, x, out):
    x = net.each("relu", net.linear(x, out))
    return net.each("dropout", x, training=True)


def vgg16(net):
    x = Tensor(3, 224, 224)
    for out in VGG16:
        x = conv_relu(net, x, out, 3, 1, 1) if out else net.max_pool(x, 2, 2)
    x = net.avg_pool(x, 1)
    net.loss(net.linear(hidden(net, hidden(net, x, 4096), 4096), 1000))


def vgg16_cifar(net):
    """The dropout behind every convolution but a stage's last: 0.3, then 0.4."""
    x = Tensor(3, 32, 32)
    for i, out in enumerate(VGG16):
        if not out:
            x = net.max_pool(x, 2, 2)
            continue
        x = conv_norm_relu(net, x, out, 3, 1, 1, bias=True)
        if VGG16[i + 1] and i != 1:
            x = net.each("dropout", x, training=True)
    x = net.each("dropout", x, training=True)
    x = net.each("relu", net.norm(net.linear(x, 512)))
    net.loss(net.linear(net.each("dropout", x, training=True), 10))


def alexnet(net):
    x = net.max_pool(conv_relu(net, Tensor(3, 224, 224), 64, 11, 4, 2), 3, 2)
    x = net.max_pool(conv_relu(net, x, 192, 5, 1, 2), 3, 2)
    x = conv_relu(net, x, 384, 3, 1, 1)
    x = conv_relu(net, x, 256, 3, 1, 1)
    x = net.max_pool(conv_relu(net, x, 256, 3, 1, 1), 3, 2)
    x = net.avg_pool(x, 1)
    x = hidden(net, net.each("dropout", x, training=True), 4096)
    net.loss(net.linear(net.each("relu", net.linear(x, 4096)), 1000))


def alexnet_cifar(net):
    x = net.max_pool(conv_relu(net, Tensor(3, 32, 32), 64, 11, 4, 5), 2, 2)
    x = net.max_pool(conv_relu(net, x, 192, 5, 1, 2), 2, 2)
    x = conv_relu(net, x, 384, 3, 1, 1)
    x = conv_relu(net, x, 256, 3, 1, 1)
    x = net.max_pool(conv_relu(net, x, 256, 3, 1, 1), 2, 2)
    net.loss(net.linear(x, 10))


# ---- densely connected networks ----

def norm_relu_conv(net, x, out, kernel, pad=0):
    return net.conv(net.each("relu", net.norm(x)), out, kernel, 1, pad)


def densenet40(net):
    x = net.conv(Tensor(3, 32, 32), 16, 3, 1, 1)
    for block in range(3):
        for _ in range(12):
            x = net.concat(x, norm_relu_conv(net, x, 12, 3, 1))
        if block < 2:
            x = net.avg_pool(norm_relu_conv(net, x, x.channels, 1), 2, 2)
    classify(net, net.each("relu", net.norm(x)), 10)


def densenet161(net):
    x = conv_norm_relu(net, Tensor(3, 224, 224), 96, 7, 2, 3)
    x = net.max_pool(x, 3, 2, 1)
    for block, layers in enumerate((6, 12, 36, 24)):
        for _ in range(layers):
            y = norm_relu_conv(net, x, 4 * 48, 1)
            x = net.concat(x, norm_relu_conv(net, y, 48, 3, 1))
        if block < 3:
            x = net.avg_pool(norm_relu_conv(net, x, x.channels // 2, 1), 2, 2)
    classify(net, net.each("relu", net.norm(x)), 1000)


# ---- Inception ----

def tower(net, x, *layers):
    """Layers are (out, kernel, pad[, stride]) one behind another."""
    for out, kernel, pad, *stride in layers:
        x = conv_norm_relu(net, x, out, kernel, stride[0] if stride else 1, pad)
    return x


WIDE, TALL = ([1, 7], [0, 3]), ([7, 1], [3, 0])
WIDE3, TALL3 = ([1, 3], [0, 1]), ([3, 1], [1, 0])


def inception3(net):
    x = tower(net, Tensor(3, 299, 299), (32, 3, 0, 2), (32, 3, 0), (64, 3, 1))
    x = tower(net, net.max_pool(x, 3, 2), (80, 1, 0), (192, 3, 0))
    x = net.max_pool(x, 3, 2)
    for out in (32, 64, 64):
        x = net.concat(tower(net, x, (64, 1, 0)), tower(net, x, (48, 1, 0), (64, 5, 2)),
                       tower(net, x, (64, 1, 0), (96, 3, 1), (96, 3, 1)),
                       tower(net, net.avg_pool(x, 3, 1, 1), (out, 1, 0)))
    x = net.concat(tower(net, x, (384, 3, 0, 2)),
                   tower(net, x, (64, 1, 0), (96, 3, 1), (96, 3, 0, 2)), net.max_pool(x, 3, 2))
    for n in (128, 160, 160, 192):
        x = net.concat(tower(net, x, (192, 1, 0)), tower(net, x, (n, 1, 0), (n, *WIDE), (192, *TALL)),
                       tower(net, x, (n, 1, 0), (n, *TALL), (n, *WIDE), (n, *TALL), (192, *WIDE)),
                       tower(net, net.avg_pool(x, 3, 1, 1), (192, 1, 0)))
    x = net.concat(tower(net, x, (192, 1, 0), (320, 3, 0, 2)),
                   tower(net, x, (192, 1, 0), (192, *WIDE), (192, *TALL), (192, 3, 0, 2)),
                   net.max_pool(x, 3, 2))
    for _ in range(2):
        one, y = tower(net, x, (320, 1, 0)), tower(net, x, (384, 1, 0))
        two = net.concat(tower(net, y, (384, *WIDE3)), tower(net, y, (384, *TALL3)))
        y = tower(net, x, (448, 1, 0), (384, 3, 1))
        three = net.concat(tower(net, y, (384, *WIDE3)), tower(net, y, (384, *TALL3)))
        x = net.concat(one, two, three, tower(net, net.avg_pool(x, 3, 1, 1), (192, 1, 0)))
    classify(net, x, 1000, drop=True)


def inception4_stem(net):
    x = tower(net, Tensor(3, 299, 299), (32, 3, 0, 2), (32, 3, 0), (64, 3, 1))
    x = net.concat(net.max_pool(x, 3, 2), tower(net, x, (96, 3, 0, 2)))
    x = net.concat(tower(net, x, (64, 1, 0), (96, 3, 0)),
                   tower(net, x, (64, 1, 0), (64, *WIDE), (64, *TALL), (96, 3, 0)))
    return net.concat(tower(net, x, (192, 3, 0, 2)), net.max_pool(x, 3, 2))


def inception4(net):
    x = inception4_stem(net)
    for _ in range(4):
        x = net.concat(tower(net, x, (96, 1, 0)), tower(net, x, (64, 1, 0), (96, 3, 1)),
                       tower(net, x, (64, 1, 0), (96, 3, 1), (96, 3, 1)),
                       tower(net, net.avg_pool(x, 3, 1, 1), (96, 1, 0)))
    x = net.concat(tower(net, x, (384, 3, 0, 2)),
                   tower(net, x, (192, 1, 0), (224, 3, 1), (256, 3, 0, 2)), net.max_pool(x, 3, 2))
    for _ in range(7):
        x = net.concat(tower(net, x, (384, 1, 0)),
                       tower(net, x, (192, 1, 0), (224, *WIDE), (256, *TALL)),
                       tower(net, x, (192, 1, 0), (192, *TALL), (224, *WIDE), (224, *TALL),
                             (256, *WIDE)),
                       tower(net, net.avg_pool(x, 3, 1, 1), (128, 1, 0)))
    x = net.concat(tower(net, x, (192, 1, 0), (192, 3, 0, 2)),
                   tower(net, x, (256, 1, 0), (256, *WIDE), (320, *TALL), (320, 3, 0, 2)),
                   net.max_pool(x, 3, 2))
    for _ in range(3):
        one, y = tower(net, x, (256, 1, 0)), tower(net, x, (384, 1, 0))
        two = net.concat(tower(net, y, (256, *WIDE3)), tower(net, y, (256, *TALL3)))
        y = tower(net, x, (384, 1, 0), (448, *TALL3), (512, *WIDE3))
        three = net.concat(tower(net, y, (256, *WIDE3)), tower(net, y, (256, *TALL3)))
        x = net.concat(one, two, three, tower(net, net.avg_pool(x, 3, 1, 1), (256, 1, 0)))
    classify(net, x, 1000)


# ---- the table: published counts ----

TORCHVISION = "torchvision, of its own table of weights"
GFLOPS = "torchvision, the GFLOPS of its table of weights, which are multiply-adds"

MODELS = [
    Model("alexnet-imagenet", "AlexNet on ImageNet, the one-column network of torchvision. Near to "
          "`alexnet` of tf_cnn_benchmarks, which TensorFlow's benchmark page of 2017 measured.",
          61100840, TORCHVISION, 714e6, GFLOPS, IMAGENET, alexnet),
    Model("vgg16-imagenet", "VGG-16 on ImageNet, without batch norm (configuration D), as in "
          "torchvision.", 138357544, TORCHVISION, 15470e6, GFLOPS, IMAGENET, vgg16),
    Model("resnet50-imagenet", "ResNet-50 on ImageNet as in torchvision: the stride of a stage is "
          "in its 3 x 3 convolution.", 25557032, TORCHVISION, 4089e6, GFLOPS, IMAGENET,
          resnet((3, 4, 6, 3))),
    Model("resnet101-imagenet", "ResNet-101 on ImageNet as in torchvision.", 44549160, TORCHVISION,
          7801e6, GFLOPS, IMAGENET, resnet((3, 4, 23, 3))),
    Model("resnet152-imagenet", "ResNet-152 on ImageNet as in torchvision.", 60192808, TORCHVISION,
          11514e6, GFLOPS, IMAGENET, resnet((3, 8, 36, 3))),
    Model("inception3-imagenet", "Inception-v3 on ImageNet at 299 x 299 as in torchvision, without "
          "the auxiliary classifier; tf_cnn_benchmarks leaves it out, too.", 23834568,
          "torchvision's 27,161,264 less the 3,326,696 of the auxiliary classifier", 5713e6, GFLOPS,
          INCEPTION, inception3),
    Model("inception4-imagenet", "Inception-v4 on ImageNet at 299 x 299 as in timm.", 42679816,
          "timm (pytorch-image-models), 42.68 M", 12280e6, "timm, 12.28 G", INCEPTION, inception4),
    Model("densenet161-imagenet", "DenseNet-161 on ImageNet as in torchvision: growth 48, 96 first "
          "channels.", 28681000, TORCHVISION, 7728e6, GFLOPS, IMAGENET, densenet161),
    Model("resnet18-cifar10", "ResNet-18 on CIFAR-10 with a 3 x 3 stem and no first pooling "
          "(kuangliu/pytorch-cifar).", 11173962, "11.17 M, that repository", 0.56e9,
          "0.56 G, often stated of that code", CIFAR, resnet18_cifar),
    Model("resnet20-cifar10", "ResNet-20 on CIFAR-10, shortcuts without parameters (He et al. 2016, "
          "section 4.2, option A).", 269722, "0.27 M, He et al.; akamaster/pytorch_resnet_cifar10",
          40.6e6, "He et al. 2018, Soft filter pruning, 4.06e7", CIFAR, resnet_cifar(20)),
    Model("resnet56-cifar10", "ResNet-56 on CIFAR-10, shortcuts without parameters.", 853018,
          "0.85 M, He et al. 2016; akamaster/pytorch_resnet_cifar10", 1.25e8,
          "Li et al. 2017, Pruning filters, 1.25e8", CIFAR, resnet_cifar(56)),
    Model("resnet110-cifar10", "ResNet-110 on CIFAR-10, shortcuts without parameters.", 1727962,
          "1.7 M, He et al. 2016; akamaster/pytorch_resnet_cifar10", 2.53e8,
          "Li et al. 2017, Pruning filters, 2.53e8", CIFAR, resnet_cifar(110)),
    Model("vgg16-cifar10", "VGG-16 on CIFAR-10 with batch norm, dropout and one hidden layer of 512 "
          "(Zagoruyko 2015; the VGG-16 of Li et al. 2017).", 14991946,
          "1.5e7, Li et al. 2017; geifmany/cifar-vgg has the same trainable ones", 3.13e8,
          "Li et al. 2017, Pruning filters, 3.13e8", CIFAR, vgg16_cifar),
    Model("alexnet-cifar10", "AlexNet on CIFAR-10 as in bearpaw/pytorch-classification: five "
          "convolutions, the first 11 x 11 with stride 4 and padding 5, and one linear layer.",
          2472266, "2.47 M, that repository", 14957056,
          "counted; no publication", CIFAR, alexnet_cifar),
    Model("densenet40-cifar10", "DenseNet on CIFAR-10, 40 layers, growth 12, 16 first channels, no "
          "bottleneck, no compression (Huang et al. 2017).", 1019722, "1.02 M, Liu et al.; "
          "1.0 M, Huang et al.", 266.5e6, "Liu et al. 2017, Network slimming: 5.33e8 operations, two "
          "a multiply-add", CIFAR, densenet40),
]
