"use strict";

// <button class="rdk-copy"> copies the text of the element before it.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button.rdk-copy");
  if (!button) return;
  const label = button.textContent;
  const source = button.previousElementSibling;
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    button.textContent = "Copied";
  } catch {
    // Some browsers offer no clipboard to file://: select the text instead.
    window.getSelection().selectAllChildren(source);
    button.textContent = "Selected: press Ctrl+C";
  }
  window.setTimeout(() => { button.textContent = label; }, 1500);
});

// Paper is white and has no folds.
const paper = window.matchMedia("print");
function prepareForMedium() {
  const toggle = DoxygenAwesomeDarkModeToggle;
  toggle.enableDarkMode(!paper.matches && toggle.userPreference);
  if (paper.matches) for (const fold of document.querySelectorAll("details.rdk-fold")) fold.open = true;
}
paper.addEventListener("change", prepareForMedium);
window.addEventListener("DOMContentLoaded", prepareForMedium);

// A link to something inside a fold opens it.
function openFoldAtHash() {
  const id = decodeURIComponent(location.hash.slice(1));
  const fold = id && document.getElementById(id)?.closest("details");
  if (fold) fold.open = true;
}
window.addEventListener("hashchange", openFoldAtHash);
window.addEventListener("DOMContentLoaded", openFoldAtHash);

// Inline formulas do not break: one that is wider than its place gets a scrolling box of its own.
function boxWideFormulas() {
  for (const formula of document.querySelectorAll(".contents .MathJax_SVG")) {
    formula.classList.remove("rdk-wide");
    const place = formula.closest("p, li, dd, td, div");
    const scrolls = getComputedStyle(place).display === "table-cell" || formula.closest(".MathJax_SVG_Display, .rdk-scroll");
    if (scrolls) continue;
    const room = place.getBoundingClientRect().right - parseFloat(getComputedStyle(place).paddingRight);
    formula.classList.toggle("rdk-wide", formula.getBoundingClientRect().right > room + 1);
  }
}
window.addEventListener("load", () => {
  if (!window.MathJax) return;
  MathJax.Hub.Queue(boxWideFormulas);
  window.addEventListener("resize", boxWideFormulas);
});

// A snippet from inside a function starts at the margin.
window.addEventListener("DOMContentLoaded", () => {
  for (const fragment of document.querySelectorAll("div.fragment")) {
    const lines = [...fragment.querySelectorAll(":scope > .line")].filter((line) => line.textContent.trim());
    const indent = Math.min(...lines.map((line) => line.textContent.search(/\S/)));
    for (const line of indent > 0 && indent < Infinity ? lines : []) {
      const first = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
      first.data = first.data.slice(Math.min(indent, first.data.search(/\S|$/)));
    }
  }
});
