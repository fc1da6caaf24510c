// Light and dark: the system's choice until the button is used. Whoever draws listens.

const themeListeners = [];

/** Colours that people with any kind of colour blindness tell apart (Okabe and Ito), on each background. */
const palettes = {
  light: ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#b8860b", "#3d9fd6", "#000000", "#661100"],
  dark: ["#56b4e9", "#ff9a4d", "#2fd0a0", "#e58fc0", "#f0e442", "#9fd3f5", "#ffffff", "#d98880"],
};

/** Dark is low, bright is high, also without colours (cividis, Nuñez, Anderton and Renslow). */
const heatStops = [[0, 34, 78], [53, 69, 108], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];

const systemIsDark = window.matchMedia("(prefers-color-scheme: dark)");

function storedTheme() {
  try {
    return localStorage.getItem("viaduct-theme");
  } catch (refused) {
    return null;
  }
}

let chosenTheme = storedTheme();
let printing = false;

function theme() {
  if (printing) {
    return "light";
  }
  return chosenTheme || (systemIsDark.matches ? "dark" : "light");
}

function palette() {
  return palettes[theme()];
}

function cssColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function applyTheme() {
  document.documentElement.dataset.theme = theme();
  document.getElementById("theme").textContent = theme() === "dark" ? "Light" : "Dark";
  document.getElementById("theme").setAttribute(
    "aria-label", theme() === "dark" ? "Change to light colours" : "Change to dark colours");
  for (const listener of themeListeners) {
    listener();
  }
}

function toggleTheme() {
  chosenTheme = theme() === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("viaduct-theme", chosenTheme);
  } catch (refused) {
    // Then it lasts as long as the page.
  }
  applyTheme();
}

function setPrinting(value) {
  printing = value;
  applyTheme();
}

document.getElementById("theme").addEventListener("click", toggleTheme);
systemIsDark.addEventListener("change", applyTheme);
window.addEventListener("beforeprint", () => setPrinting(true));
window.addEventListener("afterprint", () => setPrinting(false));

/** The colour of a share from 0 to 1, and one for text on it. */
function heatColor(share) {
  const at = Math.min(Math.max(share, 0), 1) * (heatStops.length - 1);
  const below = Math.min(Math.floor(at), heatStops.length - 2);
  const mixed = heatStops[below].map(
    (low, i) => Math.round(low + (heatStops[below + 1][i] - low) * (at - below)));
  const brightness = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2];
  return { back: `rgb(${mixed.join(",")})`, text: brightness > 120 ? "#000000" : "#ffffff", mixed };
}
