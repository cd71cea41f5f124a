// Filters take effect at once, and arrows turn pages. Without it there is a button, and links.
"use strict";
const filters = document.querySelector(".filters");
if (filters) {
  filters.addEventListener("change", (event) => {
    if (event.target.matches("select")) filters.requestSubmit();
  });
  // Empty fields stay out of the address.
  filters.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
  });
}
document.addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (!rel || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
  const link = document.querySelector(`a[rel="${rel}"]`);
  if (link) location.assign(link.href);
});
