// In the browser, after the viewer. Dark for those who chose it on the site; storage may be off.
try {
  if (localStorage.getItem('darkMode') === 'true') {
    document.documentElement.classList.add('dark-mode')
  }
} catch {}
globalThis.SwaggerUIBundle({
  dom_id: '#calls',
  url: '/api/openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
