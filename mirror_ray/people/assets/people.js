"use strict";
(() => {
  const form = document.getElementById("answer");
  if (!form) return;
  let sent = false;
  form.addEventListener("submit", (event) => {
    if (sent) event.preventDefault();
    sent = true;
    // After the form's own data are taken.
    setTimeout(() => form.querySelectorAll("button").forEach((one) => { one.disabled = true; }));
  });
  window.addEventListener("pageshow", (event) => {
    // A page from the browser's memory may show a request that has been answered.
    if (event.persisted) location.reload();
  });
  const send = form.querySelector("[data-send]");
  const first = form.querySelector("input:not([type=hidden]), textarea");
  if (first && send) {
    first.focus();
    const end = first.value.search(/: *(\n|$)/);
    const at = end < 0 ? first.value.length : first.value.indexOf(":", end) + 2;
    first.setSelectionRange(at, at);
  }
  document.addEventListener("keydown", (event) => {
    // A key that is held answers once.
    if (event.repeat || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.repeat && !event.target.closest("input, textarea")) event.preventDefault();
      return;
    }
    const text = event.target.closest("input, textarea");
    if (text) {
      if (event.key === "Escape") text.blur();
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      if (send) send.click();
      else text.blur();
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const chosen = form.querySelector(`[data-key="${CSS.escape(key)}"]`)
      || (key === "Enter" && !event.target.closest("button, a, summary") ? send : null);
    // A button that has the focus is pressed by its own keys.
    if (!chosen || (key === " " && event.target.closest("button, summary"))) return;
    event.preventDefault();
    if (!sent) chosen.click();
  });
})();
