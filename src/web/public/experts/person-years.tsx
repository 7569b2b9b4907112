import { type PersonReport } from '#contracts/person.ts'
import css from './person-years.module.css'

/** What became of the calls of each year. */
export function PersonYears({ years }: { readonly years: PersonReport['years'] }) {
  return (
    <table className={css.years}>
      <caption className="aside-voice">Calls by the year they were made</caption>
      <thead>
        <tr>
          <th scope="col">Year</th>
          <th scope="col">Calls made</th>
          <th scope="col">Time is up</th>
          <th scope="col">Luck expects</th>
        </tr>
      </thead>
      <tbody>
        {years.map(({ year, calls, n, hits, expected }) => (
          <tr key={year}>
            <th scope="row">{year}</th>
            <td>{calls}</td>
            <td>{n === 0 ? 'none decided' : `${String(hits)} of ${String(n)} came true`}</td>
            <td>{n === 0 ? '–' : expected.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
