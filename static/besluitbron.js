// What waits on an answer page comes by itself. Without this script the page is complete, and a reload shows what came since.
"use strict";

const sections = (key) => document.querySelectorAll(`section[data-bron="${CSS.escape(key)}"]`);

// A document that two sources have: the first one says that the other has it too.
const nameBoth = (root) => {
  for (const copy of root.querySelectorAll("[data-eerst]")) {
    const place = document.querySelector(`#${CSS.escape(copy.dataset.eerst)} > .herkomst`);
    if (!place || place.querySelector(`[data-ook="${CSS.escape(copy.dataset.naam)}"]`)) continue;
    const link = document.createElement("a");
    link.href = `#${copy.closest("li").id}`;
    link.dataset.ook = copy.dataset.naam;
    link.textContent = copy.dataset.woorden;
    link.addEventListener("click", () => { copy.closest("details").open = true; });
    place.append(" ", link);
  }
};

const put = (html) => {
  const box = document.createElement("template");
  box.innerHTML = html;
  const fresh = box.content.firstElementChild;
  const [old, ...rest] = [...sections(fresh.dataset.bron)].reverse();
  if (!old) return;
  for (const one of rest) one.remove();
  const swap = () => {
    const here = document.activeElement, place = here.getBoundingClientRect(), seen = place.bottom > 0 && place.top < innerHeight;
    old.replaceWith(fresh);
    nameBoth(fresh);
    if (fresh.querySelector(".treffers")) document.querySelector(".niets")?.remove();
    if (seen && here !== document.body) here.scrollIntoView({ block: "nearest", behavior: "instant" });
  };
  // Whoever stands in a section keeps their place: it changes when they leave it, and what they went to stays in sight.
  if (!old.contains(document.activeElement)) swap();
  else old.addEventListener("focusout", () => setTimeout(() => old.contains(document.activeElement) || swap()));
};

const told = document.querySelector("[data-titel]");
if (told) document.title = told.dataset.titel;

const status = document.querySelector("[data-stroom]");
nameBoth(document);
if (status) {
  const stream = new EventSource(status.dataset.stroom);
  const said = new Map();
  let turn = 0, faults = 0;
  const say = () => { turn = 0; status.textContent = [...said.values()].join(" "); };
  stream.addEventListener("blok", (event) => { faults = 0; put(event.data); });
  stream.addEventListener("stand", (event) => {
    const { bron, zin } = JSON.parse(event.data);
    said.set(bron, zin);
    turn ||= setTimeout(say, said.size > 1 ? 3000 : 0);
  });
  stream.addEventListener("einde", () => stream.close());
  stream.addEventListener("error", () => { if (++faults > 3) stream.close(); });
  addEventListener("pagehide", () => stream.close());
}

// Names to choose from, fetched once, when somebody comes to the field.
for (const list of document.querySelectorAll("datalist[data-namen]")) {
  document.querySelector(`input[list="${list.id}"]`)?.addEventListener("focus", async () => {
    const answer = await fetch(list.dataset.namen);
    if (!answer.ok) return;
    const names = (await answer.text()).split("\n").filter(Boolean);
    list.replaceChildren(...names.map((name) => new Option("", name)));
  }, { once: true });
}
