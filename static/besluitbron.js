// What waits comes by itself. Without this script the page is complete, and a reload shows what came.
"use strict";

const sections = (key) => document.querySelectorAll(`section[data-bron="${CSS.escape(key)}"]`);

// Of a document that two sources have, the first says that the other has it too.
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

// Whoever stands in what changes keeps their place: it changes when they leave it, and what they went to stays in sight.
const coming = new WeakMap();
const swap = (old, fresh) => {
  const held = coming.has(old);
  coming.set(old, fresh);
  const now = () => {
    const here = document.activeElement, place = here.getBoundingClientRect(), seen = place.bottom > 0 && place.top < innerHeight;
    const last = coming.get(old);
    last ? old.replaceWith(last) : old.remove();
    if (last) nameBoth(last);
    if (seen && here !== document.body) here.scrollIntoView({ block: "nearest", behavior: "instant" });
  };
  if (!old.contains(document.activeElement)) now();
  else if (!held) old.addEventListener("focusout", () => setTimeout(() => old.contains(document.activeElement) || now()));
};

const made = (html) => {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content.firstElementChild;
};

const put = (html) => {
  const fresh = made(html), [old, ...rest] = [...sections(fresh.dataset.bron)].reverse();
  if (!old) return;
  for (const one of rest) one.remove();
  swap(old, fresh);
};

const told = document.querySelector("[data-titel]");
if (told) document.title = told.dataset.titel;

const status = document.querySelector("[data-stroom]");
nameBoth(document);
if (status) {
  const stream = new EventSource(status.dataset.stroom);
  let sentence = "", heard = false, turn = 0, faults = 0;
  const say = () => { turn = 0; if (status.textContent !== sentence) status.textContent = sentence; };
  stream.addEventListener("blok", (event) => { faults = 0; put(event.data); });
  // A sentence that is heard changes every three seconds at most.
  stream.addEventListener("stand", (event) => {
    const { zin, titel, niets, gedeeld } = JSON.parse(event.data);
    const box = document.querySelector(".niets"), both = document.querySelector(".gedeeld"), fresh = made(gedeeld);
    sentence = zin;
    if (titel) document.title = titel;
    if (box) swap(box, made(niets));
    if (fresh && both) fresh.open = both.open;
    if (fresh) both ? swap(both, fresh) : status.after(fresh);
    turn ||= setTimeout(say, heard ? 3000 : 0);
    heard = true;
  });
  stream.addEventListener("einde", () => stream.close());
  stream.addEventListener("error", () => { if (++faults > 3) stream.close(); });
  addEventListener("pagehide", () => stream.close());
}

// What is empty or usual stays out of the address.
addEventListener("formdata", ({ formData: sent }) => {
  const all = [...sent];
  for (const [name] of all) sent.delete(name);
  for (const [name, value] of all) if (value && name + value !== "sorteerrelevantie") sent.append(name, value);
});

// Names to choose from, fetched once, when needed.
for (const list of document.querySelectorAll("datalist[data-namen]")) {
  document.querySelector(`input[list="${list.id}"]`)?.addEventListener("focus", async () => {
    const answer = await fetch(list.dataset.namen);
    if (!answer.ok) return;
    const names = (await answer.text()).split("\n").filter(Boolean);
    list.replaceChildren(...names.map((line) => { const [name, about = ""] = line.split("\t"); return new Option(about, name); }));
  }, { once: true });
}
