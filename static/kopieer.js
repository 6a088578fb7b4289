// Puts a button beside what can be copied. Without it the text can still be selected by hand.
"use strict";

for (const text of document.querySelectorAll("[data-kopie]")) {
  if (!navigator.clipboard) break; // no secure context: the button would do nothing
  const button = document.createElement("button");
  const said = document.createElement("span");
  button.type = "button";
  button.className = "kopieer";
  button.textContent = "Kopieer";
  button.setAttribute("aria-label", `Kopieer: ${text.dataset.kopie}`);
  said.className = "gekopieerd";
  said.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = "Gekopieerd.";
    } catch {
      said.textContent = "Kopiëren lukte niet. Selecteer de tekst zelf.";
    }
  });
  text.after(button, said);
}
