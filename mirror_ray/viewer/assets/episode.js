// Stepping through an episode's asks. Without it the page shows them one below the other.
"use strict";
const asks = [...document.querySelectorAll(".ask")];
const find = (id) => document.getElementById(id);
const evidence = find("evidence");
let here = 0;

function wake(ask) {
  for (const image of ask.querySelectorAll("img")) {
    if (!image.classList.contains("evidence") || evidence.checked) image.loading = "eager";
  }
}

function show(index, remember) {
  here = Math.max(0, Math.min(index, asks.length - 1));
  asks.forEach((ask, at) => ask.classList.toggle("here", at === here));
  document.querySelectorAll(".tracks td").forEach((cell) => {
    cell.classList.toggle("here", Number(cell.dataset.ask) === here + 1);
  });
  const cell = document.querySelector(".tracks td.here");
  const tracks = document.querySelector(".tracks");
  if (cell && tracks.scrollWidth > tracks.clientWidth) {
    tracks.scrollLeft = cell.offsetLeft - tracks.clientWidth / 2;
  }
  find("where").textContent = asks[here].dataset.label;
  if (remember) history.replaceState(null, "", "#" + asks[here].id);
  for (const near of [here, here + 1, here - 1]) if (asks[near]) wake(asks[near]);
}

function fromAddress() {
  const wanted = asks.findIndex((ask) => "#" + ask.id === location.hash);
  show(Math.max(wanted, 0), false);
}

function follow(link) {
  if (link) location.assign(link.href);
}

function toggleEvidence() {
  document.body.classList.toggle("evidence-on", evidence.checked);
  if (asks[here]) wake(asks[here]);
}

function toggleTexts(kind, open) {
  for (const one of document.querySelectorAll(`details[data-kind="${kind}"]`)) one.open = open;
}

const keys = {
  Home: () => show(0, true),
  End: () => show(asks.length - 1, true),
  ArrowLeft: () => show(here - 1, true),
  ArrowRight: () => show(here + 1, true),
  e: () => evidence && evidence.click(),
  p: () => {
    const shown = asks[here]?.querySelector('details[data-kind="prompt"]');
    if (shown) toggleTexts("prompt", !shown.open);
  },
  "[": () => follow(document.querySelector('a[rel="prev"]')),
  "]": () => follow(document.querySelector('a[rel="next"]')),
  u: () => follow(find("up")),
};
const stepping = new Set(["Home", "End", "ArrowLeft", "ArrowRight"]);

// Many keyboards write brackets with AltGr, which may come as Control and Alt, or with Option.
function isShortcut(event) {
  if ("[]".includes(event.key)) return event.metaKey || (event.ctrlKey && !event.altKey);
  return event.metaKey || event.ctrlKey || event.altKey;
}

document.addEventListener("keydown", (event) => {
  if (isShortcut(event) || !Object.hasOwn(keys, event.key)) return;
  if (stepping.has(event.key) && asks.length < 2) return;
  event.preventDefault();
  keys[event.key]();
});
if (evidence) evidence.addEventListener("change", toggleEvidence);
// What is opened in one request is open in all, so that stepping does not close it.
document.addEventListener("click", (event) => {
  const summary = event.target.closest("summary");
  if (!summary) return;
  event.preventDefault();
  toggleTexts(summary.parentElement.dataset.kind, !summary.parentElement.open);
});

if (asks.length > 1) {
  document.body.classList.add("stepping");
  find("first").addEventListener("click", keys.Home);
  find("back").addEventListener("click", keys.ArrowLeft);
  find("on").addEventListener("click", keys.ArrowRight);
  find("last").addEventListener("click", keys.End);
  window.addEventListener("hashchange", fromAddress);
  fromAddress();
} else {
  document.body.classList.add("single");
}
