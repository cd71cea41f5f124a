// Asks for this page again and takes over the parts that have changed. Without it the page is as it
// was when it was loaded.
"use strict";
const EVERY_MS = 250;
const link = document.getElementById("link");

async function look() {
  try {
    const reply = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(10_000) });
    if (!reply.ok) throw new Error(await reply.text());
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    for (const part of document.querySelectorAll("[data-part]")) {
      const now = page.querySelector(`[data-part="${part.dataset.part}"]`);
      if (now && now.outerHTML !== part.outerHTML) part.replaceWith(now);
    }
    link.textContent = "live";
    link.className = "on";
  } catch {
    link.textContent = "the viewer does not answer";
    link.className = "off";
  }
  setTimeout(look, EVERY_MS);
}

look();
