// Puts a button beside what can be copied. Without it the text can still be selected by hand.
"use strict";

const words = document.querySelector("template[data-kopieer]").dataset; // in the language of the page

for (const text of document.querySelectorAll("[data-kopie]")) {
  if (!navigator.clipboard) break; // no secure context: the button would do nothing
  const button = document.createElement("button");
  const said = document.createElement("span");
  button.type = "button";
  button.className = "kopieer";
  button.textContent = words.kopieer;
  button.setAttribute("aria-label", `${words.kopieer}: ${text.dataset.kopie}`);
  said.className = "gekopieerd";
  said.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = words.gelukt;
    } catch {
      said.textContent = words.mislukt;
    }
  });
  text.after(button, said);
}
