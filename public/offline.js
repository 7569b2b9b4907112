// Tells on the page for readers without a network how old the kept prices and verdicts are; see src/web/features/shell/last-online.ts.
try {
  const time = Number(localStorage.getItem('lastOnline'))
  if (time > 0) {
    const [date, clock] = new Date(time).toISOString().split('T')
    const day = date.split('-').reverse().join('/')
    document.getElementById('as-of').textContent = `, as of ${day} ${clock.slice(0, 5)} UTC`
  }
} catch {}
