// The page: one article for each result, verdicts first.

const levelWords = { bad: "Bad", warn: "Look", good: "Good", note: "Note" };

function remarkList(result) {
  return make("ul", { class: "remarks" }, ...result.remarks.map((remark) => make(
    "li", { class: remark.level }, make("b", {}, levelWords[remark.level]), " ", remark.text)));
}

function banner(result) {
  return result.status === "complete" ? null : make("p", { class: "banner" }, result.ending);
}

function gateSection(result) {
  const table = {
    columns: ["gate", "state", "why", "kind", "rows"].map((name) => ({ name, number: name === "rows" })),
    rows: result.gates.map((gate) => [gate.name, gate.state, gate.reason, gate.kind, gate.rows]),
  };
  return tableSection("Gates", table, {});
}

function leftOut(count, what) {
  return count > 0 ? make("p", { class: "title" }, `${count} more ${what} are not in this page: they are in the result file.`) : null;
}

function commandSection(result) {
  return make("section", {}, make("h3", {}, "To repeat it"),
    make("pre", {}, result.command), result.command_note ? make("p", { class: "title" }, result.command_note) : null,
    copyButton("Copy the command", "the command", () => result.command));
}

function sameText(raw) {
  return raw.same.length === 0 ? null
    : make("p", { class: "same" }, "The same in all rows: " + raw.same.map(([name, value]) => `${name} ${value}`).join(", "));
}

function rawSection(result) {
  if (result.raw.rows.length === 0) {
    return make("p", {}, "No measurement was made.");
  }
  const table = new SortedTable(result.raw, { label: "all measurements", tools: true });
  return make("section", { class: "raw" }, make("h3", {}, "All measurements"), sameText(result.raw), table.element,
    result.raw.total > result.raw.rows.length
      ? make("p", { class: "title" }, `The first ${result.raw.rows.length} of ${result.raw.total} measurements; --format csv has them all.`)
      : null);
}

function topologySection(topology) {
  const heading = "Topology of " + topology.hosts;
  return make("section", {}, make("h3", {}, heading),
    topology.why_no_gpus ? make("p", { class: "title" }, "No GPUs: " + topology.why_no_gpus) : null,
    topology.devices.rows.length > 0
      ? new SortedTable(topology.devices, { label: heading + ": devices" }).element : null,
    topology.distances.rows.length > 0
      ? new SortedTable(topology.distances, { label: heading + ": distances" }).element : null,
    ...topology.notes.map((note) => make("p", { class: "title" }, note)));
}

function limitList(result) {
  return result.limits.length === 0 ? null
    : make("section", {}, make("h3", {}, "What the hardware can reach"),
      make("ul", { class: "lines" }, ...result.limits.map((line) => make("li", {}, line))));
}

function article(result, index) {
  const curves = result.charts.map(chartSection);
  const matrices = matrixSections(result);
  return make("article", { id: "result-" + index, "aria-label": result.file },
    make("h2", {}, result.file),
    banner(result),
    ...result.title.map((line) => make("p", { class: "title" }, line)),
    remarkList(result),
    gateSection(result),
    curves.length + matrices.length > 0 ? make("h2", {}, "Results") : null,
    ...curves, leftOut(result.charts_left_out, "charts"),
    ...matrices, leftOut(result.matrices_left_out, "pair matrices"),
    make("h2", {}, "How it was measured"),
    commandSection(result),
    ...result.topologies.map(topologySection),
    limitList(result),
    tableSection("Paths and their evidence", result.paths, {}),
    tableSection("Ranks, GPUs and CPUs", result.ranks, { tools: true }),
    tableSection("Health", result.health, {}),
    tableSection("Where the hosts differ", result.differences, {}),
    tableSection("Hosts", result.hosts, {}),
    rawSection(result),
    make("p", { class: "title" }, result.ending));
}

function build() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const main = document.getElementById("content");
  applyTheme();
  data.results.forEach((result, index) => main.append(article(result, index)));
  if (data.results.length > 1) {
    document.getElementById("files").append(...data.results.map((result, index) =>
      make("a", { href: "#result-" + index }, result.file)));
  }
  document.title = data.results.map((result) => result.file).join(", ") + " - Viaduct report";
}

build();
