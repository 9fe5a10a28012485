"""Pictures as SVG: a sheet, and panels with axes on it. They are readable at a width of 400 pixels: a sheet is at most
480 wide, and no text is smaller than 12."""
import math
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURES = os.path.join(ROOT, "docs/pictures")
BLUE, ORANGE, GREY, GREEN = "#1f5fa8", "#c4570a", "#8a8f98", "#2e7d4f"
WIDTH = 480


class Picture:
    """An SVG that grows by panels."""

    def __init__(self, width, height, title):
        self.size = (width, height)
        self.parts = [f"<title>{title}</title>", f'<rect width="{width}" height="{height}" fill="#ffffff"/>']

    def text(self, x, y, text, anchor="start", size=13, color="#222222", bold=False):
        weight = ' font-weight="bold"' if bold else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
                          f'fill="{color}"{weight}>{text}</text>')

    def line(self, points, color, width=1.5):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>')

    def dot(self, x, y, color, radius=2.2, hollow=False):
        fill = f'fill="#ffffff" stroke="{color}"' if hollow else f'fill="{color}"'
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" {fill}/>')

    def row(self, x, y, count, color):
        """So many boxes beside each other."""
        if count > 0:
            self.parts.append(f'<path d="M{x},{y}h{12 * count}" stroke="{color}" stroke-width="11.5" '
                              f'stroke-dasharray="10.5 1.5"/>')

    def area(self, points, color, opacity=0.2):
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polygon points="{corners}" fill="{color}" fill-opacity="{opacity}"/>')

    def box(self, x, y, width, height, color, opacity=1.0):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
                          f'fill="{color}" fill-opacity="{opacity}"/>')

    def write(self, name):
        width, height = self.size
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" font-family="sans-serif" role="img">')
        with open(os.path.join(PICTURES, name), "w", encoding="utf-8") as file:
            file.write("\n".join([head, *self.parts, "</svg>"]) + "\n")


class Panel:
    """Axes in a part of a picture: left, top, width, height; x and y as (low, high)."""

    def __init__(self, picture, place, x, y, ticks=(5, 4), label=("", ""), x_text="{:g}", y_text="{:g}"):
        self.picture, self.x, self.y = picture, x, y
        self.left, self.top, self.width, self.height = place
        bottom, right = self.top + self.height, self.left + self.width
        for value in nice_ticks(y, ticks[1]):
            picture.line([(self.left, self.at_y(value)), (right, self.at_y(value))], "#e4e6ea", 1)
            picture.text(self.left - 6, self.at_y(value) + 4, y_text.format(value), "end", 12, "#444444")
        for value in nice_ticks(x, ticks[0]):
            picture.text(self.at_x(value), bottom + 16, x_text.format(value), "middle", 12, "#444444")
        picture.line([(self.left, bottom), (right, bottom)], "#555555", 1)
        picture.text((self.left + right) / 2, bottom + 33, label[0], "middle", 13)
        picture.text(self.left, self.top - 8, label[1], "start", 13)

    def at_x(self, value):
        return self.left + (value - self.x[0]) / (self.x[1] - self.x[0]) * self.width

    def at_y(self, value):
        return self.top + self.height - (value - self.y[0]) / (self.y[1] - self.y[0]) * self.height

    def curve(self, xs, ys, color, width=1.5):
        self.picture.line([(self.at_x(x), self.at_y(y)) for x, y in zip(xs, ys)], color, width)

    def band(self, xs, lows, highs, color, opacity=0.2):
        edge = [*zip(xs, highs), *zip(reversed(xs), reversed(lows))]
        self.picture.area([(self.at_x(x), self.at_y(y)) for x, y in edge], color, opacity)

    def dots(self, xs, ys, color, radius=2.2, hollow=False):
        for x, y in zip(xs, ys):
            self.picture.dot(self.at_x(x), self.at_y(y), color, radius, hollow)


def nice_ticks(limits, count):
    low, high = limits
    rough = (high - low) / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = math.ceil(low / step - 1e-9)
    return [i * step for i in range(first, math.floor(high / step + 1e-9) + 1)]
