"use strict";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const mark = document.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = rel && document.querySelector(`a[rel="${rel}"]`);
  if (mark) mark.click();
  else if (link) location.assign(link.href);
});
