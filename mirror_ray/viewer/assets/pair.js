// Keys between differences. Without it the page shows all steps, and a link to the first one.
"use strict";
const marked = [...document.querySelectorAll(".step.differing")];

function go(way) {
  const here = scrollY + 90;
  const places = marked.map((step) => step.getBoundingClientRect().top + scrollY);
  const next = way > 0
    ? places.findIndex((top) => top > here + 5)
    : places.findLastIndex((top) => top < here - 5);
  if (next >= 0) scrollTo({ top: places[next] - 90 });
}

document.addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.key === "d") go(1);
  if (event.key === "D") go(-1);
  if (event.key === "p") {
    const texts = [...document.querySelectorAll('[data-kind="prompt"]')];
    const open = !texts[0]?.open;
    for (const text of texts) text.open = open;
  }
  const up = document.getElementById("up");
  if (event.key === "u" && up) location.assign(up.href);
});
