"""Draw small grey images of handwritten-looking digits.

The project ships a digit classifier as an example model.  Drawing the training
images here, instead of fetching a data set, keeps the example self-contained:
no download, no foreign licence, and every image can be drawn again from a
seed.

A digit is a list of strokes and a stroke is a list of control points in a box
that is 0.64 wide and 1 high, y pointing down.  Drawing one image moves the
control points a little, joins them, distorts the whole figure and only then
turns it into pixels, so that two images of one style never look alike.
"""

import dataclasses

import numpy as np

IMAGE_SIZE = 28
DIGIT_HEIGHT_PIXELS = 18.5
BOX_CENTRE = (0.32, 0.5)
CURVE_STEPS = 4


def line(*points):
    """Return a stroke whose points are joined by straight pieces."""
    return np.array(points, dtype=np.float64), False


def curve(*points):
    """Return a stroke that runs smoothly through its points."""
    return np.array(points, dtype=np.float64), True


def arc(centre_x, centre_y, radius_x, radius_y, start, end):
    """Return a stroke along an ellipse; degrees, 0 is right and 90 is down.

    A control point every 40 degrees or so leaves the jitter something to bend
    without making the outline look nervous.
    """
    count = max(3, int(round(abs(end - start) / 40.0)) + 1)
    angles = np.radians(np.linspace(start, end, count))
    return np.stack([centre_x + radius_x * np.cos(angles),
                     centre_y + radius_y * np.sin(angles)], axis=1), True


# STYLES[digit] maps the name of a writing style to its strokes.
STYLES = (
    {   # 0
        "round": [arc(0.32, 0.5, 0.32, 0.5, -90, 275)],
        "narrow": [arc(0.32, 0.5, 0.23, 0.5, -70, 285)],
    },
    {   # 1
        "plain": [line((0.32, 0.0), (0.32, 1.0))],
        "flag": [line((0.12, 0.25), (0.36, 0.0), (0.36, 1.0))],
        "serif": [line((0.14, 0.22), (0.33, 0.0), (0.33, 1.0)),
                  line((0.1, 1.0), (0.56, 1.0))],
    },
    {   # 2
        "straight": [curve((0.03, 0.25), (0.11, 0.07), (0.32, 0.0),
                           (0.54, 0.08), (0.59, 0.28), (0.47, 0.52),
                           (0.24, 0.78), (0.02, 1.0)),
                     line((0.02, 1.0), (0.63, 1.0))],
        "looped": [curve((0.05, 0.2), (0.16, 0.04), (0.36, 0.0),
                         (0.54, 0.1), (0.56, 0.3), (0.42, 0.6),
                         (0.2, 0.9), (0.06, 0.97), (0.02, 0.87),
                         (0.13, 0.81), (0.3, 0.9), (0.48, 0.98),
                         (0.64, 0.92))],
    },
    {   # 3
        "round": [curve((0.04, 0.13), (0.17, 0.02), (0.36, 0.0),
                        (0.54, 0.09), (0.56, 0.28), (0.43, 0.43),
                        (0.24, 0.47)),
                  curve((0.24, 0.47), (0.46, 0.51), (0.61, 0.65),
                        (0.58, 0.86), (0.4, 0.99), (0.18, 0.99),
                        (0.02, 0.87))],
        "flat": [line((0.06, 0.0), (0.58, 0.0), (0.28, 0.4)),
                 curve((0.28, 0.4), (0.48, 0.43), (0.61, 0.58),
                       (0.6, 0.8), (0.44, 0.97), (0.22, 1.0),
                       (0.03, 0.9))],
    },
    {   # 4
        "open": [line((0.13, 0.02), (0.03, 0.6), (0.64, 0.58)),
                 line((0.46, 0.12), (0.44, 1.0))],
        "closed": [line((0.46, 1.0), (0.46, 0.0), (0.0, 0.68),
                        (0.64, 0.68))],
    },
    {   # 5
        "angular": [line((0.58, 0.0), (0.1, 0.0), (0.07, 0.44)),
                    curve((0.07, 0.44), (0.3, 0.37), (0.53, 0.46),
                          (0.61, 0.67), (0.52, 0.9), (0.29, 1.0),
                          (0.03, 0.91))],
        "flowing": [curve((0.6, 0.03), (0.4, 0.02), (0.22, 0.08),
                          (0.13, 0.25), (0.17, 0.4), (0.36, 0.46),
                          (0.54, 0.58), (0.56, 0.8), (0.39, 0.98),
                          (0.17, 0.99), (0.03, 0.9))],
    },
    {   # 6
        "curled": [curve((0.56, 0.06), (0.39, 0.0), (0.2, 0.12),
                         (0.07, 0.38), (0.04, 0.68), (0.14, 0.92),
                         (0.34, 1.0), (0.55, 0.9), (0.6, 0.7),
                         (0.48, 0.53), (0.28, 0.51), (0.09, 0.65))],
        "slanted": [curve((0.42, 0.0), (0.24, 0.24), (0.1, 0.5),
                          (0.06, 0.75), (0.18, 0.96), (0.38, 0.99),
                          (0.54, 0.85), (0.52, 0.65), (0.34, 0.56),
                          (0.13, 0.67))],
    },
    {   # 7
        "plain": [line((0.03, 0.0), (0.6, 0.0), (0.22, 1.0))],
        "barred": [line((0.03, 0.0), (0.6, 0.0), (0.24, 1.0)),
                   line((0.16, 0.5), (0.6, 0.48))],
        "hooked": [line((0.04, 0.16), (0.05, 0.0), (0.6, 0.0)),
                   curve((0.6, 0.0), (0.44, 0.32), (0.31, 0.65),
                         (0.26, 1.0))],
    },
    {   # 8
        "rings": [arc(0.32, 0.25, 0.24, 0.25, 90, 455),
                  arc(0.32, 0.75, 0.3, 0.25, -90, 275)],
        "crossed": [curve((0.56, 0.15), (0.4, 0.0), (0.18, 0.04),
                          (0.09, 0.22), (0.23, 0.4), (0.47, 0.58),
                          (0.6, 0.78), (0.46, 0.97), (0.2, 0.98),
                          (0.06, 0.8), (0.19, 0.6), (0.43, 0.4),
                          (0.56, 0.22), (0.53, 0.1))],
    },
    {   # 9
        "straight": [arc(0.31, 0.28, 0.26, 0.28, -10, 355),
                     line((0.57, 0.2), (0.53, 1.0))],
        "curled": [curve((0.57, 0.24), (0.42, 0.03), (0.2, 0.05),
                         (0.07, 0.26), (0.16, 0.47), (0.38, 0.5),
                         (0.55, 0.3), (0.6, 0.15), (0.58, 0.5),
                         (0.5, 0.84), (0.3, 1.0), (0.08, 0.92))],
    },
)


@dataclasses.dataclass(frozen=True)
class Distortion:
    """How far one drawing may stray from its style's plain shape."""

    rotation_degrees: float = 15.0  # either way
    shear: float = 0.25             # either way, sideways over height
    scale: float = 0.2              # either way, height and width each
    shift_pixels: float = 3.5       # either way, each axis
    jitter: float = 0.028           # standard deviation, over the height
    noise: float = 0.07             # largest standard deviation, over ink
    width_pixels: tuple = (1.5, 3.6)
    blur: float = 0.25              # largest weight of a pixel's neighbour
    ink: tuple = (0.75, 1.0)

    def scaled(self, factor):
        """Return a copy whose shape and noise limits are factor times these.

        Width, blur and ink stay: they describe the pen, not the hand.
        """
        names = ("rotation_degrees", "shear", "scale", "shift_pixels",
                 "jitter", "noise")
        return dataclasses.replace(
            self, **{name: getattr(self, name) * factor for name in names})

    def __str__(self):
        return (f"rotation +-{self.rotation_degrees:.1f} deg, "
                f"shear +-{self.shear:.2f}, scale +-{self.scale:.2f}, "
                f"shift +-{self.shift_pixels:.1f} px, "
                f"point jitter {self.jitter:.3f}, "
                f"noise up to {self.noise:.3f}, "
                f"stroke {self.width_pixels[0]}-{self.width_pixels[1]} px")


def smooth(points):
    """Return the Catmull-Rom curve through points as a fine polyline.

    This curve passes through its control points, so the tables above read as
    places the pen visits.
    """
    padded = np.concatenate([2 * points[:1] - points[1:2], points,
                             2 * points[-1:] - points[-2:-1]])
    p0, p1, p2, p3 = padded[:-3], padded[1:-2], padded[2:-1], padded[3:]
    t = (np.arange(CURVE_STEPS) / CURVE_STEPS)[:, None, None]
    pieces = 0.5 * (2 * p1 + (p2 - p0) * t
                    + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t ** 2
                    + (3 * p1 - p0 - 3 * p2 + p3) * t ** 3)
    fine = pieces.transpose(1, 0, 2).reshape(-1, 2)
    return np.concatenate([fine, points[-1:]])


def draw_transform(distortion, rng):
    """Return a random matrix and offset from the unit box to pixels."""
    angle = np.radians(rng.uniform(-1, 1) * distortion.rotation_degrees)
    shear = rng.uniform(-1, 1) * distortion.shear
    width, height = 1.0 + rng.uniform(-1, 1, 2) * distortion.scale
    turn = np.array([[np.cos(angle), -np.sin(angle)],
                     [np.sin(angle), np.cos(angle)]])
    slant = np.array([[1.0, shear], [0.0, 1.0]])
    matrix = turn @ slant @ np.diag([width, height]) * DIGIT_HEIGHT_PIXELS
    centre = (IMAGE_SIZE - 1) / 2.0
    offset = centre + rng.uniform(-1, 1, 2) * distortion.shift_pixels
    return matrix, offset


def distance_to_segments(starts, ends):
    """Return each pixel's distance to the nearest of the segments."""
    rows, columns = np.mgrid[0:IMAGE_SIZE, 0:IMAGE_SIZE]
    pixels = np.stack([columns.ravel(), rows.ravel()], axis=1)
    pixels = pixels.astype(np.float64)
    steps = ends - starts
    lengths = np.maximum((steps ** 2).sum(axis=1), 1e-9)
    along = (pixels @ steps.T - (starts * steps).sum(axis=1)) / lengths
    along = np.clip(along, 0.0, 1.0)
    gap_x = pixels[:, :1] - (starts[:, 0] + along * steps[:, 0])
    gap_y = pixels[:, 1:] - (starts[:, 1] + along * steps[:, 1])
    nearest = np.sqrt((gap_x ** 2 + gap_y ** 2).min(axis=1))
    return nearest.reshape(IMAGE_SIZE, IMAGE_SIZE)


def blur_image(image, weight):
    """Blur with the kernel (weight, 1, weight) along both axes."""
    for axis in (0, 1):
        pad = [(1, 1) if i == axis else (0, 0) for i in (0, 1)]
        wide = np.pad(image, pad)
        before = wide[:-2] if axis == 0 else wide[:, :-2]
        after = wide[2:] if axis == 0 else wide[:, 2:]
        image = (image + weight * (before + after)) / (1.0 + 2.0 * weight)
    return image


def draw_digit(digit, style, distortion, rng):
    """Draw one image: uint8, 28 by 28, ink 255 on 0."""
    matrix, offset = draw_transform(distortion, rng)
    starts, ends = [], []
    for points, is_curved in STYLES[digit][style]:
        points = points + rng.normal(0.0, distortion.jitter, points.shape)
        if is_curved:
            points = smooth(points)
        points = (points - BOX_CENTRE) @ matrix.T + offset
        starts.append(points[:-1])
        ends.append(points[1:])
    distance = distance_to_segments(np.concatenate(starts),
                                    np.concatenate(ends))
    # Fading over one pixel at the edge of the stroke is the antialiasing.
    half_width = rng.uniform(*distortion.width_pixels) / 2.0
    image = np.clip(half_width - distance + 0.5, 0.0, 1.0)
    image = blur_image(image, rng.uniform(0.0, distortion.blur))
    image *= rng.uniform(*distortion.ink)
    image += rng.normal(0.0, rng.uniform(0.0, distortion.noise), image.shape)
    return np.rint(np.clip(image, 0.0, 1.0) * 255.0).astype(np.uint8)


def draw_set(count, distortion, seed):
    """Draw count images; return them with their labels and style names.

    Digits and styles take turns, so every digit, and every style of a digit,
    comes up equally often.
    """
    rng = np.random.default_rng(seed)
    images = np.empty((count, IMAGE_SIZE, IMAGE_SIZE), dtype=np.uint8)
    labels = np.arange(count) % len(STYLES)
    styles = []
    for index, label in enumerate(labels):
        names = list(STYLES[label])
        styles.append(names[index // len(STYLES) % len(names)])
        images[index] = draw_digit(label, styles[-1], distortion, rng)
    return images, labels, np.array(styles)
