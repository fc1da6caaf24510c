// Pair matrices as heat maps: from the rank of the row to the rank of the column.

const mostTableRanks = 64;

function matrixValues(matrix) {
  const hasBandwidth = matrix.busbw.some((value) => value !== null && value > 0);
  return hasBandwidth
    ? { values: matrix.busbw, unit: "GB/s", name: "bus bandwidth" }
    : { values: matrix.time, unit: "us", name: "time" };
}

function rangeOf(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value !== null) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  return { low, high };
}

function shareOf(value, range) {
  return range.high > range.low ? (value - range.low) / (range.high - range.low) : 1;
}

function cellText(matrix, place, hosts) {
  const n = matrix.ranks.length;
  const ofRank = matrix.unit === "rank";
  const end = (rank) => `${matrix.unit} ${rank}${ofRank && hosts.has(rank) ? ` (${hosts.get(rank)})` : ""}`;
  const from = matrix.ranks[Math.floor(place / n)];
  const to = matrix.ranks[place % n];
  const parts = [`from ${end(from)} to ${end(to)}`];
  if (matrix.busbw[place] !== null) {
    parts.push(`${shortNumber(matrix.busbw[place])} GB/s`);
  }
  if (matrix.time[place] !== null) {
    parts.push(`${shortNumber(matrix.time[place])} us`);
  }
  const name = matrix.class[place] === null ? "" : matrix.classes[matrix.class[place]];
  const mark = matrix.marks.find((one) => one.place === place);
  return parts.concat([name, mark ? mark.text : ""].filter(Boolean)).join(", ");
}

function heatTable(matrix, hosts) {
  const n = matrix.ranks.length;
  const { values } = matrixValues(matrix);
  const range = rangeOf(values);
  const marked = new Set(matrix.marks.map((mark) => mark.place));
  const cell = (place) => {
    const value = values[place];
    const title = cellText(matrix, place, hosts);
    if (value === null) {
      return make("td", { class: marked.has(place) ? "none mark" : "none", title }, marked.has(place) ? "!" : "");
    }
    const td = make("td", { class: marked.has(place) ? "mark" : "", title, "aria-label": title },
      (marked.has(place) ? "! " : "") + shortNumber(value));
    const color = heatColor(shareOf(value, range));
    td.style.backgroundColor = color.back;
    td.style.color = color.text;
    return td;
  };
  const head = make("tr", {}, make("th", { scope: "col" }, "from \\ to"),
    ...matrix.ranks.map((rank) => make("th", { scope: "col" }, String(rank))));
  const rows = matrix.ranks.map((rank, i) => make("tr", {}, make("th", { scope: "row" }, String(rank)),
    ...matrix.ranks.map((_, j) => cell(i * n + j))));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "pair matrix " + matrix.title },
    make("table", { class: "heat" }, make("thead", {}, head), make("tbody", {}, ...rows)));
}

/** For many ranks: one pixel or more for each pair; the numbers are read by hover or arrow keys. */
function heatCanvas(matrix, hosts) {
  const n = matrix.ranks.length;
  const { values } = matrixValues(matrix);
  const range = rangeOf(values);
  const canvas = make("canvas", { class: "heatmap", tabindex: "0", role: "img", width: n, height: n,
    "aria-label": `pair matrix of ${n} ranks, ${matrix.title}; arrow keys read the numbers` });
  const context = canvas.getContext("2d");
  const image = context.createImageData(n, n);
  values.forEach((value, place) => {
    const mixed = value === null ? [127, 127, 127] : heatColor(shareOf(value, range)).mixed;
    image.data.set([...mixed, value === null ? 60 : 255], 4 * place);
  });
  for (const mark of matrix.marks) {
    image.data.set([213, 0, 50, 255], 4 * mark.place);
  }
  context.putImageData(image, 0, 0);
  const line = make("p", { class: "title" }, "Point at a pair, or move with the arrow keys.");
  let at = 0;
  const show = (place) => {
    at = place;
    line.textContent = cellText(matrix, place, hosts);
  };
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect();
    const column = Math.min(n - 1, Math.floor((event.clientX - box.left) / box.width * n));
    const row = Math.min(n - 1, Math.floor((event.clientY - box.top) / box.height * n));
    show(Math.max(0, row) * n + Math.max(0, column));
  });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: n, ArrowUp: -n }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      show(Math.min(Math.max(at + step, 0), n * n - 1));
      say(line.textContent);
    }
  });
  return make("div", {}, canvas, line);
}

function heatScale(matrix) {
  const { values, unit, name } = matrixValues(matrix);
  const range = rangeOf(values);
  const bar = make("i", { "aria-hidden": "true" });
  bar.style.background = `linear-gradient(90deg, ${heatStops.map((stop) => `rgb(${stop.join(",")})`).join(",")})`;
  return make("div", { class: "scale" }, `${name}: ${shortNumber(range.low)}`, bar,
    `${shortNumber(range.high)} ${unit}; ! differs from its class or has no number`);
}

function drawMatrix(holder, matrix, hosts) {
  if (!matrix.busbw.concat(matrix.time).some((value) => value !== null)) {
    holder.replaceChildren(make("p", {}, "No pair has a number."));
    return;
  }
  holder.replaceChildren(heatScale(matrix),
    matrix.ranks.length <= mostTableRanks ? heatTable(matrix, hosts) : heatCanvas(matrix, hosts));
}

function matrixName(matrix) {
  return [matrix.path, matrix.size, matrix.group].filter(Boolean).join(", ");
}

/** One section for each table of pairs, with a choice of path and size. */
function matrixSections(result) {
  const rank = result.ranks.columns.findIndex((column) => column.name === "rank");
  const host = result.ranks.columns.findIndex((column) => column.name === "host");
  const hosts = new Map(result.ranks.rows.map((row) => [row[rank], row[host]]));
  return [...new Set(result.matrices.map((matrix) => matrix.title))].map((title) => {
    const own = result.matrices.filter((matrix) => matrix.title === title);
    const holder = make("div");
    const choice = make("select", { "aria-label": "Path and size of " + title,
      onchange: () => drawMatrix(holder, own[choice.selectedIndex], hosts) },
    ...own.map((matrix) => make("option", {}, matrixName(matrix))));
    drawMatrix(holder, own[0], hosts);
    return make("section", { class: "matrix" }, make("h3", {}, "Pairs: " + title), choice, holder);
  });
}
