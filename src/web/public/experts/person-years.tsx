import { type PersonReport } from '#contracts/person.ts'
import { cameTrueText } from '#domain/scoring/figure-text.ts'
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
        {years.map(({ year, calls, decided }) => (
          <tr key={year}>
            <th scope="row">{year}</th>
            <td>{calls}</td>
            <td>{cameTrueText({ hits: decided.hits, n: decided.calls })}</td>
            <td>{decided.calls === 0 ? '–' : decided.expected.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
