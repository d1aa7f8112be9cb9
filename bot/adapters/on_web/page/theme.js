// Before anything is painted: the theme that was chosen last, if one was.
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the page follows the system.
}
