"""Draws bar charts as SVG."""

BAR = 14
GAP = 8
LABEL = 230
WIDTH = 760
COLOURS = {1: "#3b6ea8", 2: "#d98c3f"}


def draw_ratios(rows):
    """A group of bars for each model, one for each number of threads; a line where both are equal."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    threads = sorted({row["threads"] for row in rows})
    most = max(1.1, max(row["ratio_min"] for row in rows) * 1.05)
    scale = (WIDTH - LABEL - 60) / most
    height = 50 + len(models) * (len(threads) * BAR + GAP) + 20
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
             '<text x="10" y="18">Time of CpuAcc divided by the time of ONNX Runtime '
             '(less is faster)</text>']
    for index, count in enumerate(threads):
        x = LABEL + index * 110
        parts.append(f'<rect x="{x}" y="26" width="10" height="10" '
                     f'fill="{COLOURS.get(count, "#777")}"/>'
                     f'<text x="{x + 14}" y="35">{count} thread{"s" if count > 1 else ""}</text>')
    y = 46
    for model in models:
        parts.append(f'<text x="{LABEL - 8}" y="{y + len(threads) * BAR / 2 + 4}" '
                     f'text-anchor="end">{model}</text>')
        for row in (row for row in rows if row["model"] == model):
            length = row["ratio_min"] * scale
            parts.append(f'<rect x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR - 2}" '
                         f'fill="{COLOURS.get(row["threads"], "#777")}"/>'
                         f'<text x="{LABEL + length + 4:.1f}" y="{y + BAR - 4}" font-size="10">'
                         f'{row["ratio_min"]:.2f}</text>')
            y += BAR
        y += GAP
    x = LABEL + scale
    parts.append(f'<line x1="{x:.1f}" y1="42" x2="{x:.1f}" y2="{y}" stroke="#333" '
                 'stroke-dasharray="3 3"/>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
