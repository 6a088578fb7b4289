// How a report stands comes by itself, for as long as its reader wants that. Without this script links on the page do it.
"use strict";

const place = document.getElementById("stand");
const words = place.dataset; // in the language of the page
const every = Number(words.ververs) * 1000;
const said = document.createElement("span");
const button = document.createElement("button");
let turn = 0;

const look = async () => {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (fresh.querySelector("#stand[data-ververs]")) put(fresh);
    else if (answer.ok) return location.reload(); // nothing more follows: the whole page is another
  } catch { /* the next time may go better */ }
  clearTimeout(turn);
  if (turn) turn = setTimeout(look, every);
};

// Each text changes only where it says something else, so that who hears the page is not told the same again.
const put = (fresh) => {
  for (const name of ["title", "h1", ".staat", ".zin", ".nu"]) {
    const old = document.querySelector(name), newer = fresh.querySelector(name).textContent;
    if (old.textContent !== newer) old.textContent = newer;
  }
  const bar = place.querySelector("progress"), newer = fresh.querySelector("progress");
  if (bar && newer) [bar.max, bar.value] = [newer.max, newer.value];
  else if (newer) place.append(newer.parentElement);
  else if (bar) bar.parentElement.remove();
};

const show = () => {
  said.textContent = turn ? words.vanzelf : words.gestopt;
  button.textContent = turn ? words.stop : words.verder;
};

button.type = "button";
button.className = "rustig";
button.addEventListener("click", () => {
  clearTimeout(turn);
  turn = turn ? 0 : setTimeout(look, every);
  show();
});
turn = setTimeout(look, every);
show();
document.querySelector(".zonder-script").replaceChildren(said, " ", button);
