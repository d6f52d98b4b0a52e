// Runs before the first paint: the theme that was chosen here last time.
try {
  const theme = localStorage.getItem("manhunt-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // without storage the system's theme is used
}
