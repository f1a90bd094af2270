// Runs before the first paint, so that the page does not flash in the other theme.
(() => {
  try {
    const theme = localStorage.getItem('whimbrel.theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be switched off: the theme of the system stays.
  }
})();
