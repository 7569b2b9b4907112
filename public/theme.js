// Sets the theme before the first paint, so that nothing flashes. Light unless the visitor chose dark; storage may be off.
try {
  if (localStorage.getItem('darkMode') === 'true') {
    document.documentElement.dataset.theme = 'dark'
    document.querySelector('meta[name="theme-color"]').content = '#0b0f17'
  }
} catch {}
