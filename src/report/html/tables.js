// Tables that can be sorted, filtered and copied. Long ones show their first rows until more are asked for.

const rowsAtOnce = 100;

function compareCells(a, b, isNumber) {
  if (a === null || b === null) {
    return a === b ? 0 : a === null ? 1 : -1; // unknown comes last, whichever way
  }
  return isNumber ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
}

function sortedRows(rows, column, direction, isNumber) {
  const unknownLast = (a, b) => (a[column] === null) - (b[column] === null);
  return rows.slice().sort((a, b) =>
    unknownLast(a, b) || direction * compareCells(a[column], b[column], isNumber));
}

class SortedTable {
  constructor(table, options) {
    this.table = table;
    this.options = options;
    this.rows = table.rows;
    this.shown = rowsAtOnce;
    this.column = -1;
    this.direction = 1;
    this.headers = table.columns.map((column, i) => make(
      "th", { scope: "col", class: column.number ? "number" : "", "aria-sort": "none" },
      make("button", { type: "button", onclick: () => this.sortBy(i) }, column.name)));
    this.body = make("tbody");
    this.count = make("span", { class: "count" });
    this.more = make("button", { type: "button", onclick: () => this.showMore() }, "Show more rows");
    const scroll = make(
      "div", { class: "scroll", tabindex: "0", role: "region", "aria-label": options.label },
      make("table", {}, make("thead", {}, make("tr", {}, ...this.headers)), this.body));
    this.element = make("div", {}, options.tools ? this.tools() : null, scroll,
      make("div", { class: "tools" }, this.more, options.tools ? null : this.count));
    this.draw();
  }

  tools() {
    const filter = make("input", {
      type: "search", placeholder: "Filter rows", "aria-label": "Filter rows of " + this.options.label,
      oninput: () => this.filter(filter.value),
    });
    return make("div", { class: "tools" }, filter,
      copyButton("Copy as TSV", "rows as TSV", () => this.tsv()),
      copyButton("Copy as JSON", "rows as JSON", () => this.json()), this.count);
  }

  filter(text) {
    const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
    this.rows = this.table.rows.filter((row) => {
      const joined = row.map((cell) => (cell === null ? "" : String(cell))).join(" ").toLowerCase();
      return words.every((word) => joined.includes(word));
    });
    this.sort();
    this.draw();
  }

  sortBy(column) {
    this.direction = this.column === column ? -this.direction : 1;
    this.column = column;
    this.sort();
    this.draw();
    say(`sorted by ${this.table.columns[column].name}, ${this.direction > 0 ? "rising" : "falling"}`);
  }

  sort() {
    if (this.column >= 0) {
      this.rows = sortedRows(
        this.rows, this.column, this.direction, this.table.columns[this.column].number);
    }
  }

  showMore() {
    this.shown += 10 * rowsAtOnce;
    this.draw();
  }

  cell(value, column) {
    const text = value === null ? "" : typeof value === "number" ? String(value) : value;
    return make("td", { class: column.number ? "number" : "" }, text);
  }

  draw() {
    const columns = this.table.columns;
    this.body.replaceChildren(...this.rows.slice(0, this.shown).map((row) =>
      make("tr", {}, ...row.map((value, i) => this.cell(value, columns[i])))));
    this.headers.forEach((header, i) => header.setAttribute("aria-sort",
      i !== this.column ? "none" : this.direction > 0 ? "ascending" : "descending"));
    this.more.hidden = this.rows.length <= this.shown;
    const shown = Math.min(this.shown, this.rows.length);
    this.count.textContent = this.rows.length === this.table.rows.length && shown === this.rows.length
      ? `${shown} ${shown === 1 ? "row" : "rows"}` : `${shown} of ${this.rows.length} rows shown`;
  }

  tsv() {
    const clean = (cell) => (cell === null ? "" : String(cell).replace(/[\t\r\n]+/g, " "));
    return [this.table.columns.map((column) => column.name), ...this.rows]
      .map((row) => row.map(clean).join("\t")).join("\n") + "\n";
  }

  json() {
    return JSON.stringify(this.rows.map((row) => Object.fromEntries(
      row.map((cell, i) => [this.table.columns[i].name, cell]))), null, 1);
  }
}

/** Null for a table without rows. */
function tableSection(heading, table, options) {
  if (!table || table.rows.length === 0) {
    return null;
  }
  return make("section", { class: "table" }, make("h3", {}, heading),
    new SortedTable(table, { label: heading, ...options }).element);
}
