// Filters take effect at once, and arrows turn pages. Without it there is a button, and links; a
// list that was written as a file then shows all of its rows.
"use strict";
const filters = document.querySelector(".filters");
const rows = [...document.querySelectorAll(".episodes tbody tr")];
const find = (id) => document.getElementById(id);

function served() {
  filters.addEventListener("change", (event) => {
    if (event.target.matches("select, [type=radio]")) filters.requestSubmit();
  });
  // Empty fields stay out of the address.
  filters.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
  });
}

// Of a list in a file: its rows have the values, the address's fragment the filters.
const facets = ["verdict", "family", "condition", "model", "variant", "temperature", "outcome", "failure"];
const words = new Set(["verdict", "condition", "model", "variant", "failure", "family", "finished", "scene"]);
const numbers = new Set(["temperature", "seed", "steps", "tokens", "cost", "time"]);
const verdicts = ["right", "wrong", "partly", "error", "unscored"];
let wanted = {};

function differing(cells) {
  const both = cells.split(".", 2).concat("").slice(0, 2);
  const scores = new Map();
  for (const row of rows) {
    const { cell, scene, score } = row.dataset;
    if (!scene || score === "" || !both.includes(cell)) continue;
    if (!scores.has(scene)) scores.set(scene, both.map(() => []));
    scores.get(scene)[both.indexOf(cell)].push(Number(score));
  }
  const mean = (of) => of.reduce((sum, one) => sum + one, 0) / of.length;
  const differs = new Set([...scores].filter(([, of]) => Math.abs(mean(of[0]) - mean(of[1])) > 0).map(([scene]) => scene));
  return (row) => both.includes(row.cell) && differs.has(row.scene);
}

function tests() {
  const found = {};
  for (const [name, value] of Object.entries(wanted)) {
    if (facets.includes(name) || name === "scene") found[name] = (row) => row[name] === value;
    if (name === "model_has") found[name] = (row) => row.model.toLowerCase().includes(value.toLowerCase());
    if (name === "id") found[name] = (row) => row.id.startsWith(value.trim().toLowerCase());
    if (name === "differ") found[name] = differing(value);
  }
  return found;
}

function compared(one, other, by) {
  if (by === "scene") {
    return one.seed - other.seed || one.run - other.run || Number(one.scene > other.scene) - Number(one.scene < other.scene);
  }
  if (by === "verdict") return verdicts.indexOf(one.verdict) - verdicts.indexOf(other.verdict);
  if (words.has(by)) return one[by] < other[by] ? -1 : Number(one[by] > other[by]);
  return Number(one[by]) - Number(other[by]);
}

function unknown(value) {
  return value === "" || value === "default";
}

function sorted(shown) {
  const text = wanted.sort || (wanted.differ ? "scene" : "");
  const by = text.replace(/^-/, "");
  if (!words.has(by) && !numbers.has(by)) return shown;
  const way = text.startsWith("-") ? -1 : 1;
  return [...shown].sort((one, other) => {
    const empty = Number(unknown(one.dataset[by])) - Number(unknown(other.dataset[by]));
    return empty || way * compared(one.dataset, other.dataset, by);
  });
}

function count(name, checks) {
  const others = Object.entries(checks).filter(([of]) => of !== name).map(([, check]) => check);
  const counted = new Map();
  for (const row of rows) {
    if (others.every((check) => check(row.dataset))) {
      counted.set(row.dataset[name], (counted.get(row.dataset[name]) ?? 0) + 1);
    }
  }
  return counted;
}

function offer(name, counted) {
  if (name === "verdict") {
    for (const radio of filters.querySelectorAll("[name=verdict]")) {
      const n = counted.get(radio.value) ?? 0;
      radio.checked = radio.value === (wanted.verdict ?? "");
      if (!radio.value) continue;
      radio.parentElement.querySelector(".count").textContent = n.toLocaleString("en");
      radio.parentElement.hidden = !n && !radio.checked;
    }
    return;
  }
  const select = filters.elements[name];
  const values = [...counted.keys()].filter(Boolean).sort();
  if (wanted[name] && !counted.has(wanted[name])) values.push(wanted[name]);
  select.replaceChildren(new Option("any", ""));
  for (const value of values) {
    select.add(new Option(`${value} · ${(counted.get(value) ?? 0).toLocaleString("en")}`, value));
  }
  select.value = wanted[name] ?? "";
  select.parentElement.hidden = values.length < 2 && !wanted[name];
}

function show() {
  wanted = Object.fromEntries([...new URLSearchParams(location.hash.slice(1))].filter(([, value]) => value));
  const checks = tests();
  for (const name of facets) offer(name, count(name, checks));
  for (const name of ["model_has", "id", "sort", "scene", "differ"]) {
    filters.elements[name].value = wanted[name] ?? "";
  }
  for (const name of ["scene", "differ"]) find(name).hidden = !wanted[name];
  const every = Object.values(checks);
  const shown = sorted(rows.filter((row) => every.every((check) => check(row.dataset))));
  const size = Number(filters.dataset.rows);
  const pages = Math.max(1, Math.ceil(shown.length / size));
  const page = Math.min(pages, Math.max(1, Number.parseInt(wanted.page ?? "1", 10) || 1));
  document.querySelector(".episodes tbody")?.replaceChildren(...shown.slice((page - 1) * size, page * size));
  find("count").textContent = `${shown.length.toLocaleString("en")} episode${shown.length === 1 ? "" : "s"}`;
  document.querySelector(".empty").hidden = shown.length > 0;
  document.querySelector(".clear").hidden = !location.hash.slice(1);
  for (const pager of document.querySelectorAll(".pager")) {
    pager.hidden = pages === 1;
    pager.querySelector(".at").textContent = `page ${page} of ${pages}`;
    turn(pager.querySelector("[rel=prev]"), page > 1 && page - 1);
    turn(pager.querySelector("[rel=next]"), page < pages && page + 1);
  }
  for (const link of document.querySelectorAll("[data-sort]")) {
    const by = link.dataset.sort;
    link.href = address({ ...wanted, page: "", sort: wanted.sort === by ? `-${by}` : by });
    const is = (wanted.sort ?? "").replace(/^-/, "") === by;
    link.parentElement.ariaSort = is ? (wanted.sort.startsWith("-") ? "descending" : "ascending") : null;
  }
}

function turn(link, page) {
  link.style.visibility = page ? "" : "hidden";
  link.href = address({ ...wanted, page: page || "" });
}

function address(values) {
  return `#${new URLSearchParams(Object.entries(values).filter(([, value]) => value))}`;
}

function written() {
  const choose = (event) => {
    event.preventDefault();
    location.hash = address(Object.fromEntries(new FormData(filters)));
  };
  filters.hidden = false;
  filters.addEventListener("change", choose);
  filters.addEventListener("submit", choose);
  window.addEventListener("hashchange", show);
  show();
}

if (filters.dataset.rows) written();
else served();

document.addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (!rel || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  const link = document.querySelector(`.pager:not([hidden]) a[rel="${rel}"]`);
  if (link && link.style.visibility !== "hidden") location.assign(link.href);
});
