// The switch between languages leads to the same heading: anchors are the same in each. Esc and a click elsewhere close it.
document.addEventListener("click", (event) => {
  const link = event.target.closest(".languages a[data-same-page]");
  if (link) link.hash = location.hash;
  for (const open of document.querySelectorAll(".languages details[open]")) {
    if (!open.contains(event.target)) open.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector(".languages details[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
