// Curves over size: bus bandwidth and time, one line for each path with its intervals, on logarithmic axes.

const pointStyles = ["circle", "rect", "triangle", "rectRot", "star", "crossRot", "rectRounded", "dash"];
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [5, 5], [1, 4], [12, 4], [6, 2, 2, 2]];
const liveCharts = [];

/** Vertical bars from low to high through each point. */
const intervalBars = {
  id: "intervals",
  afterDatasetsDraw(chart) {
    const { ctx, scales, chartArea } = chart;
    chart.data.datasets.forEach((dataset, index) => {
      if (!chart.isDatasetVisible(index) || dataset.isLimit) {
        return;
      }
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
      ctx.clip();
      ctx.strokeStyle = dataset.borderColor;
      ctx.lineWidth = 1.5;
      for (const point of dataset.data) {
        if (point.low > 0 && point.high > point.low) {
          const x = scales.x.getPixelForValue(point.x);
          const low = scales.y.getPixelForValue(point.low);
          const high = scales.y.getPixelForValue(point.high);
          ctx.beginPath();
          ctx.moveTo(x, low);
          ctx.lineTo(x, high);
          ctx.moveTo(x - 3, low);
          ctx.lineTo(x + 3, low);
          ctx.moveTo(x - 3, high);
          ctx.lineTo(x + 3, high);
          ctx.stroke();
        }
      }
      ctx.restore();
    });
  },
};

/** A dashed line where the faster of two paths changes. */
const crossoverLines = {
  id: "crossovers",
  afterDatasetsDraw(chart) {
    const { ctx, scales, chartArea } = chart;
    for (const { size } of chart.options.plugins.crossovers.marks) {
      const x = scales.x.getPixelForValue(size);
      if (x < chartArea.left || x > chartArea.right) {
        continue;
      }
      ctx.save();
      ctx.strokeStyle = ctx.fillStyle = cssColor("--faint");
      ctx.setLineDash([4, 4]);
      ctx.beginPath();
      ctx.moveTo(x, chartArea.top);
      ctx.lineTo(x, chartArea.bottom);
      ctx.stroke();
      ctx.font = "11px system-ui, sans-serif";
      ctx.textAlign = x > chartArea.right - 90 ? "right" : "left";
      ctx.fillText(` crossover ${sizeText(Math.round(size))} `, x, chartArea.top + 11);
      ctx.restore();
    }
  },
};

const ofBandwidth = {
  name: "busbw", title: "Bus bandwidth (GB/s)",
  value: (p) => p.busbw,
  // The interval of the bandwidth is that of the time, turned round.
  low: (p) => (p.high > 0 ? p.busbw * p.time / p.high : null),
  high: (p) => (p.low > 0 ? p.busbw * p.time / p.low : null),
};
const ofTime = {
  name: "time", title: "Time (us)",
  value: (p) => p.time, low: (p) => p.low, high: (p) => p.high,
};

function pointsOf(curve, quantity) {
  return curve.points
    .filter((p) => p.size > 0 && quantity.value(p) > 0) // a logarithmic axis has no zero
    .map((p) => ({ x: p.size, y: quantity.value(p), low: quantity.low(p), high: quantity.high(p), point: p }));
}

function lineOf(curve, index, quantity) {
  return {
    label: curve.name, data: pointsOf(curve, quantity), curve: index,
    pointStyle: pointStyles[index % pointStyles.length], pointRadius: 4, pointHoverRadius: 7,
    borderDash: dashes[index % dashes.length], borderWidth: 2, tension: 0,
  };
}

/** What the hardware can reach, where the records say it: curves of one limit share one line. */
function limitLines(chart, quantity) {
  if (quantity !== ofBandwidth) {
    return [];
  }
  const seen = new Set();
  return chart.curves.flatMap((curve, index) => {
    const data = curve.points.filter((p) => p.size > 0 && p.limit > 0).map((p) => ({ x: p.size, y: p.limit }));
    const key = JSON.stringify(data);
    if (data.length === 0 || seen.has(key)) {
      return [];
    }
    seen.add(key);
    return [{ label: "limit of " + curve.name, data, curve: index, isLimit: true, pointRadius: 0,
      borderDash: [2, 2], borderWidth: 1.5 }];
  });
}

function pointText(item) {
  const p = item.raw.point;
  if (!p) {
    return `${item.dataset.label}: ${shortNumber(item.raw.y)} GB/s`;
  }
  const parts = [
    `${item.dataset.label}: ${shortNumber(p.time)} us [${shortNumber(p.low)}, ${shortNumber(p.high)}]`,
    `busbw ${shortNumber(p.busbw)}, algbw ${shortNumber(p.algbw)} GB/s`,
  ];
  if (p.limit > 0 && p.busbw !== null) {
    parts.push(`${(100 * p.busbw / p.limit).toFixed(1)} % of the limit`);
  }
  if (p.ratio) {
    parts.push(`${p.verdict}, ratio ${p.ratio.map(shortNumber).join(" ").replace(" ", " [").replace(/ ([^ ]*)$/, ", $1]")}`);
  }
  return parts.concat([p.algorithm, p.evidence, p.status === "ok" ? "" : p.status].filter(Boolean));
}

/** Over several powers of ten only they have labels. */
function valueTick(value, index, ticks) {
  const wide = ticks.length > 0 && ticks[ticks.length - 1].value / ticks[0].value >= 1000;
  return wide && Math.abs(Math.log10(value) % 1) > 1e-9 ? "" : shortNumber(value);
}

function axis(title, isSize, sizes) {
  const color = cssColor("--faint");
  const options = {
    type: "logarithmic",
    title: { display: true, text: title, color },
    grid: { color: cssColor("--line") },
    ticks: { color, maxRotation: 0, callback: isSize ? (value) => sizeText(value) : valueTick },
  };
  if (isSize) {
    options.afterBuildTicks = (scale) => {
      const step = Math.max(1, Math.ceil(sizes.length / 9));
      scale.ticks = sizes.filter((_, i) => i % step === 0).map((value) => ({ value }));
    };
    options.min = sizes[0] / (sizes.length > 1 ? 1.3 : 4);
    options.max = sizes[sizes.length - 1] * (sizes.length > 1 ? 1.3 : 4);
  }
  return options;
}

function colorDatasets(chart) {
  const colors = palette();
  for (const dataset of chart.data.datasets) {
    const color = dataset.isLimit ? cssColor("--faint") : colors[dataset.curve % colors.length];
    dataset.borderColor = color;
    dataset.backgroundColor = color;
  }
}

function chartOptions(chart, quantity, sizes) {
  return {
    animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
    interaction: { mode: "nearest", axis: "x", intersect: false },
    scales: { x: axis("Size (bytes)", true, sizes), y: axis(quantity.title, false) },
    plugins: {
      legend: { display: false },
      crossovers: { marks: chart.curves.filter((c) => c.crossover > 0).map((c) => ({ size: c.crossover })) },
      tooltip: {
        mode: "index", intersect: false,
        callbacks: { title: (items) => sizeText(items[0].raw.x) + " bytes", label: pointText },
      },
    },
  };
}

/** With the arrow keys the shown size moves; Escape hides the numbers. */
function addKeys(canvas, chart, sizes) {
  let at = -1;
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -sizes.length, End: sizes.length }[event.key];
    if (event.key === "Escape") {
      at = -1;
    } else if (step === undefined) {
      return;
    } else {
      at = Math.min(Math.max(at + step, 0), sizes.length - 1);
      event.preventDefault();
    }
    const active = at < 0 ? [] : chart.data.datasets.flatMap((dataset, datasetIndex) => {
      const index = dataset.data.findIndex((p) => p.x === sizes[at]);
      return index < 0 || !chart.isDatasetVisible(datasetIndex) ? [] : [{ datasetIndex, index }];
    });
    chart.setActiveElements(active);
    chart.tooltip.setActiveElements(active, { x: 0, y: 0 });
    chart.update();
    if (active.length > 0) {
      say([sizeText(sizes[at]) + " bytes"].concat(chart.tooltip.body.map((b) => b.lines.join(", "))).join("; "));
    }
  });
}

function plot(chart, quantity) {
  const datasets = chart.curves.map((curve, i) => lineOf(curve, i, quantity)).concat(limitLines(chart, quantity));
  const sizes = [...new Set(datasets.flatMap((d) => d.data.map((p) => p.x)))].sort((a, b) => a - b);
  const holder = make("div", { class: "chart" }, make("h4", {}, quantity.title));
  if (sizes.length === 0) {
    holder.append(make("p", { class: "title" }, "Nothing above zero to draw."));
    return { holder, chart: null };
  }
  const canvas = make("canvas", {
    tabindex: "0", role: "img", "data-quantity": quantity.name,
    "aria-label": `${quantity.title} over size, ${chart.title}; arrow keys read the numbers`,
  });
  holder.append(make("div", { class: "plot" }, canvas));
  const drawn = new Chart(canvas, {
    type: "line", data: { datasets }, options: chartOptions(chart, quantity, sizes),
    plugins: [intervalBars, crossoverLines],
  });
  addKeys(canvas, drawn, sizes);
  liveCharts.push({ drawn, chart, quantity, sizes });
  return { holder, chart: drawn };
}

function redrawCharts() {
  for (const { drawn, chart, quantity, sizes } of liveCharts) {
    drawn.options = chartOptions(chart, quantity, sizes);
    colorDatasets(drawn);
    drawn.update();
  }
}

function swatch(index) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", "34");
  svg.setAttribute("height", "10");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  for (const [key, value] of Object.entries({ x1: 0, y1: 5, x2: 34, y2: 5, "stroke-width": 3 })) {
    line.setAttribute(key, String(value));
  }
  line.setAttribute("stroke-dasharray", dashes[index % dashes.length].join(" "));
  svg.append(line);
  const paint = () => line.setAttribute("stroke", palette()[index % palette().length]);
  themeListeners.push(paint);
  paint();
  return svg;
}

function legend(chart, plots) {
  return make("div", { class: "legend", role: "group", "aria-label": "Curves shown" },
    ...chart.curves.map((curve, index) => {
      const button = make("button", { type: "button", "aria-pressed": "true", onclick: () => {
        const show = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(show));
        for (const one of plots.filter((p) => p.chart)) {
          one.chart.data.datasets.forEach((dataset, i) => {
            if (dataset.curve === index) {
              one.chart.setDatasetVisibility(i, show);
            }
          });
          one.chart.update();
        }
        say(`${curve.name} ${show ? "shown" : "hidden"}`);
      } }, swatch(index), curve.name);
      return button;
    }));
}

function chartLines(chart) {
  const texts = chart.curves.flatMap((c) => [c.sentence, c.crossover_text, c.algorithms, c.fit]).filter(Boolean);
  const unique = [...new Set(texts)];
  return unique.length === 0 ? null : make("ul", { class: "lines" }, ...unique.map((text) => make("li", {}, text)));
}

function fillChart(section, chart) {
  const plots = [plot(chart, ofBandwidth), plot(chart, ofTime)];
  section.append(legend(chart, plots), make("div", { class: "charts" }, ...plots.map((p) => p.holder)));
  plots.filter((p) => p.chart).forEach((p) => {
    colorDatasets(p.chart);
    p.chart.resize();
    p.chart.update();
  });
  const lines = chartLines(chart);
  if (lines) {
    section.append(lines);
  }
}

const waitingCharts = new Map();

/** Charts are made when they come near the window, all of them before printing. */
const chartWatch = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((e) => e.isIntersecting)) {
    drawWaiting(entry.target);
  }
}, { rootMargin: "600px" });

function drawWaiting(section) {
  const chart = waitingCharts.get(section);
  if (chart) {
    waitingCharts.delete(section);
    chartWatch.unobserve(section);
    section.style.minHeight = "";
    fillChart(section, chart);
  }
}

function chartSection(chart) {
  const section = make("section", { class: "curves" }, make("h3", {}, chart.title));
  section.style.minHeight = "26rem";
  waitingCharts.set(section, chart);
  chartWatch.observe(section);
  return section;
}

themeListeners.push(redrawCharts);
window.addEventListener("beforeprint", () => {
  for (const section of [...waitingCharts.keys()]) {
    drawWaiting(section);
  }
});
