// What a person sees who opens the HTML report, asked of headless Chromium: charts by their pixels, tables by their
// order, everything by keyboard too. Started by page_test.sh in the folder of the pages.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { chromium } from "playwright-core";

const browserFile = process.argv[2];
const paletteOf = {
  light: ["#0072b2", "#d55e00", "#009e73"],
  dark: ["#56b4e9", "#ff9a4d", "#2fd0a0"],
};
let failures = 0;

function check(ok, what) {
  if (!ok) {
    ++failures;
    console.log("FAILED: " + what);
  }
}

function url(file) {
  return pathToFileURL(resolve(file)).href;
}

/** Opens a page and notes everything that must not happen. */
async function open(browser, file, options) {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90000); // a machine may be busy with other tests
  const faults = [];
  page.on("pageerror", (error) => faults.push("script error: " + error.message));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") {
      faults.push("console: " + message.text());
    }
  });
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) {
      faults.push("network: " + request.url());
    }
  });
  page.on("dialog", (dialog) => {
    faults.push("dialog: " + dialog.message());
    dialog.dismiss();
  });
  await page.goto(url(file));
  return { context, page, faults };
}

/** How many pixels of a canvas are near each of the colours. */
function colouredPixels(canvas, colours) {
  return canvas.evaluate((element, wanted) => {
    // From a copy: the page's own canvas is not made for reading.
    const copy = document.createElement("canvas");
    copy.width = element.width;
    copy.height = element.height;
    const context = copy.getContext("2d", { willReadFrequently: true });
    context.drawImage(element, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    const parts = wanted.map((c) => [1, 3, 5].map((at) => parseInt(c.slice(at, at + 2), 16)));
    const counts = parts.map(() => 0);
    for (let i = 0; i < data.length; i += 4) {
      parts.forEach((rgb, n) => {
        const near = data[i + 3] > 200 && rgb.every((part, k) => Math.abs(part - data[i + k]) < 12);
        counts[n] += near ? 1 : 0;
      });
    }
    return counts;
  }, colours);
}

async function drawnCharts(page) {
  for (const section of await page.locator("section.curves").all()) {
    await section.scrollIntoViewIfNeeded();
    await section.locator("canvas").first().waitFor();
  }
  return page.locator("section.curves canvas").all();
}

async function checkCharts(page, scheme) {
  const colours = paletteOf[scheme];
  const charts = await drawnCharts(page);
  check(charts.length >= 2, `${scheme}: only ${charts.length} charts`);
  for (const [index, canvas] of charts.entries()) {
    const curves = await canvas.evaluate(
      (element) => element.closest("section").querySelectorAll(".legend button").length);
    const counts = await colouredPixels(canvas, colours.slice(0, curves));
    check(counts.length > 0, `${scheme}: chart ${index} has no curve`);
    counts.forEach((count, n) => check(count >= 25, `${scheme}: chart ${index} shows ${count} pixels of curve ${n}`));
  }
}

/** The first chart has three curves over nine sizes: each must go when its button says so, and come back. */
async function checkLegend(page, scheme) {
  const section = page.locator("section.curves").first();
  const canvas = section.locator("canvas").first();
  const buttons = section.locator(".legend button");
  check(await buttons.count() === 3, `${await buttons.count()} buttons in the first legend, wanted 3`);
  for (let n = 0; n < 3; ++n) {
    const colour = [paletteOf[scheme][n]];
    const [before] = await colouredPixels(canvas, colour);
    await buttons.nth(n).focus();
    await page.keyboard.press("Enter");
    check(await buttons.nth(n).getAttribute("aria-pressed") === "false", `legend button ${n} stays pressed`);
    const [hidden] = await colouredPixels(canvas, colour);
    check(before >= 25 && hidden < before / 10, `curve ${n}: ${before} pixels, hidden ${hidden}`);
    await buttons.nth(n).click();
    const [again] = await colouredPixels(canvas, colour);
    check(again > before / 2, `curve ${n} does not come back: ${again} of ${before} pixels`);
  }
}

async function column(table, name) {
  const names = await table.locator("thead button").allTextContents();
  const at = names.indexOf(name);
  check(at >= 0, `no column ${name}`);
  const cells = await table.locator(`tbody tr td:nth-child(${at + 1})`).allTextContents();
  return { button: table.locator("thead button").nth(at), header: table.locator("thead th").nth(at), cells };
}

function isSorted(cells, direction) {
  const known = cells.filter((cell) => cell !== "").map(Number);
  const unknownLast = cells.slice(0, known.length).every((cell) => cell !== "");
  return unknownLast && known.every((value, i) => i === 0 || direction * (value - known[i - 1]) >= 0);
}

async function checkSorting(page) {
  const table = page.locator("section.raw table").first();
  const before = await column(table, "time_median_us");
  check(before.cells.length > 10 && before.cells.includes(""), "the table has no unknown time to sort");
  check(!isSorted(before.cells, 1), "the times are sorted before any click");
  await before.button.click();
  check(isSorted((await column(table, "time_median_us")).cells, 1), "a click does not sort by time");
  check(await before.header.getAttribute("aria-sort") === "ascending", "aria-sort does not say ascending");
  await before.button.focus();
  await page.keyboard.press("Enter");
  check(isSorted((await column(table, "time_median_us")).cells, -1), "Enter does not turn the order");
  check(await before.header.getAttribute("aria-sort") === "descending", "aria-sort does not say descending");
  const words = await column(table, "operation");
  await words.button.focus();
  await page.keyboard.press("Space");
  const sorted = (await column(table, "operation")).cells;
  check(sorted.join() === sorted.slice().sort().join() && new Set(sorted).size > 1, "words are not sorted");
}

async function checkFilterAndCopy(page) {
  const section = page.locator("section.raw").first();
  const all = await section.locator("tbody tr").count();
  await section.getByRole("searchbox").fill("all_gather lost");
  check(await section.locator("tbody tr").count() === 1 && all > 20, "the filter does not leave the one lost row");
  await section.getByRole("button", { name: "Copy as TSV" }).click();
  await page.waitForFunction(() => document.getElementById("said").textContent.includes("copied"));
  const tsv = (await page.evaluate(() => navigator.clipboard.readText())).trimEnd().split("\n");
  check(tsv.length === 2 && tsv[0].split("\t").includes("size_bytes") && tsv[1].includes("signal 6"),
    "TSV: " + tsv.join(" | ").slice(0, 200));
  await section.getByRole("button", { name: "Copy as JSON" }).click();
  await page.waitForTimeout(200);
  const json = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  check(json.length === 1 && json[0].status === "lost" && json[0].time_median_us === null, "JSON copy is not the row");
  await section.getByRole("searchbox").fill("");
}

async function checkKeys(page) {
  const canvas = page.locator("section.curves canvas").first();
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const said = await page.locator("#said").textContent();
  check(/^64 bytes; direct: .* us/.test(said), "arrow keys say: " + said);
  const box = await canvas.boundingBox();
  const tooltips = () => page.evaluate(() => Object.values(Chart.instances).filter((c) => c.tooltip.opacity > 0).length);
  await page.keyboard.press("Escape");
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(200);
  check(await tooltips() >= 1, "hover shows no numbers");
}

async function checkHostile(page) {
  check(await page.title() !== "taken", "a name of the file ran as a script");
  check(await page.locator("script").count() === 3, "the page has grown a script element");
  const text = await page.locator("main").innerText();
  check(text.includes("<script>document.title='taken'</script>"), "the hostile name is not shown as text");
}

async function checkWords(page) {
  const text = await page.locator("article").first().innerText();
  for (const words of ["17 of 2048 elements differ", "signal 6", "no network plugin", "fast enough", "570.12",
    "viaduct run all_reduce -b 8 --out 'a folder'", "host-staged and direct cross near", "throttled: power",
    "rank 1 sees one GPU", "0000:10:00.0", "SHM/direct", "path direct is proven", "18 of 18 up, 26.562 GB/s each",
    "limit: 478.1 GB/s"]) {
    check(text.includes(words), "the page does not say: " + words);
  }
  const order = ["bad", "warn", "good", "note"];
  const levels = await page.locator("article").first().locator(".remarks li").evaluateAll(
    (items) => items.map((item) => item.className));
  check(levels[0] === "bad" && levels.join() === levels.slice().sort((a, b) => order.indexOf(a) - order.indexOf(b)).join(), "verdicts are not the gravest first");
  const charts = await page.evaluate(() => Object.values(Chart.instances).map((c) => ({
    marks: c.options.plugins.crossovers.marks.length,
    limits: c.data.datasets.filter((d) => d.isLimit).length,
    bars: c.data.datasets.filter((d) => !d.isLimit).every((d) => d.data.every((p) => p.low < p.y && p.y < p.high)),
    y: c.options.scales.y.type, x: c.options.scales.x.type,
  })));
  check(charts.some((c) => c.marks > 0), "no crossover is marked");
  check(charts.filter((c) => c.limits === 1).length === 1, "the limit is not one line of one chart");
  check(charts.every((c) => c.bars), "a point lies outside its interval");
  check(charts.every((c) => c.x === "logarithmic" && c.y === "logarithmic"), "an axis is not logarithmic");
}

async function checkHeatMap(page) {
  const table = page.locator("table.heat").first();
  check(await table.locator("tbody tr").count() === 8, "the heat map has not 8 rows");
  check(await table.locator("tbody td").count() === 64, "the heat map has not 64 cells");
  const filled = await table.locator("tbody td").evaluateAll(
    (cells) => new Set(cells.map((cell) => cell.style.backgroundColor).filter(Boolean)).size);
  check(filled >= 3, `the heat map has ${filled} colours`);
  const marks = await table.locator("td.mark").evaluateAll((cells) => cells.map((cell) => cell.title));
  check(marks.length === 1 && marks[0].startsWith("from rank 2 (node00) to rank 1") && marks[0].includes("P2P/CUMEM"),
    "marked: " + marks.join("; "));
  const choice = page.locator("section.matrix select").first();
  await choice.selectOption({ index: 1 });
  check(await table.locator("td.mark").count() === 0, "the second path has a slow pair");
}

async function checkTheme(page) {
  const look = () => page.evaluate(() => [document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]);
  const [theme, back] = await look();
  await page.locator("#theme").click();
  const [other, otherBack] = await look();
  check(theme !== other && back !== otherBack, "the button does not change the colours");
  await checkCharts(page, other);
  await page.locator("#theme").click();
}

async function checkNarrow(browser) {
  for (const width of [360, 768]) {
    const { context, page, faults } = await open(browser, "report.html", { viewport: { width, height: 800 } });
    await drawnCharts(page);
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(wide === 0, `at ${width} the page is ${wide} px too wide`);
    const charts = await page.locator("section.curves canvas").evaluateAll((all) => all.map((c) => c.getBoundingClientRect().width));
    check(charts.every((w) => w > 200 && w <= width), `at ${width} charts are ${charts} wide`);
    check(faults.length === 0, `at ${width}: ${faults}`);
    await context.close();
  }
}

async function checkMany(browser) {
  const { context, page, faults } = await open(browser, "many.html", {});
  const canvas = page.locator("canvas.heatmap").first();
  await canvas.scrollIntoViewIfNeeded();
  const size = await canvas.evaluate((c) => [c.width, c.height]);
  check(size.join() === "80,80", "the heat map of 80 ranks is " + size);
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  check((await page.locator("#said").textContent()).includes("from rank 0 (node00) to rank 1"), "arrow keys read no pair");
  check(await page.locator("section.raw tbody tr").count() === 100, "a long table shows all its rows at once");
  check(faults.length === 0, "many: " + faults);
  await context.close();
}

async function checkPartial(browser) {
  const { context, page, faults } = await open(browser, "partial.html", {});
  const banner = await page.locator(".banner").innerText();
  check(banner.startsWith("partial: the file has no end"), "the banner of a partial file: " + banner);
  check(faults.length === 0, "partial: " + faults);
  await context.close();
}

async function checkPrint(page) {
  await page.emulateMedia({ media: "print" });
  const pdf = await page.pdf();
  check(pdf.length > 20000, `a print of ${pdf.length} bytes`);
  await page.emulateMedia({ media: "screen" });
}

/** The test's own eyes: a planted error must be seen. */
async function checkFaultsAreSeen(page, faults) {
  check(faults.length === 0, "faults: " + faults.join("; "));
  await page.evaluate(() => setTimeout(() => { throw new Error("planted"); }, 0));
  await page.evaluate(() => console.error("planted too"));
  await page.waitForTimeout(100);
  check(faults.filter((fault) => fault.includes("planted")).length === 2, "planted errors are not seen");
}

async function main() {
  const browser = await chromium.launch({ executablePath: browserFile, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const scheme of ["light", "dark"]) {
      const { context, page, faults } = await open(browser, "report.html", { colorScheme: scheme });
      check(await page.evaluate(() => document.documentElement.dataset.theme) === scheme, `not ${scheme} at first`);
      await checkCharts(page, scheme);
      await checkLegend(page, scheme);
      await checkTheme(page);
      if (scheme === "light") {
        await checkKeys(page);
        await checkSorting(page);
        await checkFilterAndCopy(page);
        await checkHostile(page);
        await checkWords(page);
        await checkHeatMap(page);
        await checkPrint(page);
      }
      await checkFaultsAreSeen(page, faults);
      await context.close();
    }
    await checkNarrow(browser);
    await checkMany(browser);
    await checkPartial(browser);
  } finally {
    await browser.close();
  }
  console.log(failures === 0 ? "the page is as it should be" : `${failures} failures`);
  process.exit(failures === 0 ? 0 : 1);
}

main().catch((error) => {
  console.log("FAILED: " + error.stack);
  process.exit(1);
});
