// Says on the page for readers without a network how old the stored prices and verdicts are; service-worker.js fills in the time.
try {
  const since = document.querySelector('meta[name="kept-since"]').content
  const [date, clock] = new Date(since).toISOString().split('T')
  const day = date.split('-').reverse().join('/')
  document.getElementById('as-of').textContent = `, as of ${day} ${clock.slice(0, 5)} UTC`
} catch {}
