// Elements and texts. Whatever comes from a result file becomes text, never markup.

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === "class") {
      element.className = value;
    } else if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined) {
      element.append(child);
    }
  }
  return element;
}

/** Tells readers of screens what a button did. */
function say(text) {
  document.getElementById("said").textContent = text;
}

/** Bytes as people write them: 4K, 1.5M. */
function sizeText(bytes) {
  let value = bytes;
  for (const unit of ["", "K", "M", "G", "T"]) {
    if (value < 1024 || unit === "T") {
      return (Number.isInteger(value) ? value : Number(value.toPrecision(3))) + unit;
    }
    value /= 1024;
  }
  return String(bytes);
}

/** About four digits, as in the text table. */
function shortNumber(value) {
  if (value === null || value === undefined) {
    return "-";
  }
  if (value === 0) {
    return "0";
  }
  const size = Math.abs(value);
  return size >= 1e4 ? String(Math.round(value))
    : size < 1e-4 ? value.toExponential(1) : String(Number(value.toPrecision(4)));
}

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {
    // Pages from a file may not have the clipboard; the old way still works there.
    const area = make("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say(what + " copied");
}

/** A button that copies; the text is made when it is asked for. */
function copyButton(label, what, makeText) {
  return make("button", { type: "button", onclick: () => copyText(makeText(), what) }, label);
}
