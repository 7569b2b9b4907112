import { addDays, dayOf, partsOf, type Day } from '#domain/day.ts'
import { easterSunday, lastWeekday, nthWeekday, thanksgiving } from '#domain/judging/calendar.ts'
import {
  AFTER_YEAR,
  comingPeriod,
  dayPeriod,
  form,
  group,
  readYear,
  THE_END,
  yearNamed,
  type DateForm,
  type Period,
  type PostDate,
  YEAR,
  yearOf,
} from './date-words.ts'

/** A named day; null in years without it. */
type Holiday = { readonly words: string; readonly on: (year: number) => Day | null }

function on(words: string, month: number, date: number): Holiday {
  return { words, on: (year) => dayOf(year, month, date) }
}

/** The Tuesday after the first Monday of November, in even years. */
function electionDay(year: number): Day | null {
  return year % 2 === 0 ? addDays(nthWeekday(year, 11, 1, 1), 1) : null
}

/** The 20th of January after a presidential election. */
function inaugurationDay(year: number): Day | null {
  return year % 4 === 1 ? dayOf(year, 1, 20) : null
}

const HOLIDAYS: readonly Holiday[] = [
  on(String.raw`(?:christmas|x-?mas)(?: day)?`, 12, 25),
  on(String.raw`(?:christmas|x-?mas) eve`, 12, 24),
  on('boxing day', 12, 26),
  on(String.raw`new year'?s? eve|nye`, 12, 31),
  on(String.raw`new year'?s? day`, 1, 1),
  on('halloween', 10, 31),
  on(String.raw`valentine'?s(?: day)?`, 2, 14),
  on('pi day', 3, 14),
  on(String.raw`st\.? (?:patrick|paddy)'?s(?: day)?`, 3, 17),
  on('tax day', 4, 15),
  on('cinco de mayo', 5, 5),
  on(String.raw`(?:bitcoin )?pizza day`, 5, 22),
  on('independence day', 7, 4),
  on(String.raw`veteran'?s'? day`, 11, 11),
  { words: 'thanksgiving(?: day)?', on: thanksgiving },
  { words: 'black friday', on: (year) => addDays(thanksgiving(year), 1) },
  { words: 'cyber monday', on: (year) => addDays(thanksgiving(year), 4) },
  { words: 'good friday', on: (year) => addDays(easterSunday(year), -2) },
  { words: 'easter(?: sunday)?', on: easterSunday },
  { words: 'easter monday', on: (year) => addDays(easterSunday(year), 1) },
  {
    words: String.raw`(?:mlk|martin luther king)(?: jr\.?)? day`,
    on: (y) => nthWeekday(y, 1, 1, 3),
  },
  { words: String.raw`president'?s'? day`, on: (year) => nthWeekday(year, 2, 1, 3) },
  { words: String.raw`mother'?s'? day`, on: (year) => nthWeekday(year, 5, 0, 2) },
  { words: 'memorial day', on: (year) => lastWeekday(year, 5, 1) },
  { words: String.raw`father'?s'? day`, on: (year) => nthWeekday(year, 6, 0, 3) },
  { words: 'labou?r day', on: (year) => nthWeekday(year, 9, 1, 1) },
  { words: 'columbus day', on: (year) => nthWeekday(year, 10, 1, 2) },
  { words: 'election (?:day|night)', on: electionDay },
  { words: String.raw`(?:the )?(?:presidential )?inauguration(?: day)?`, on: inaugurationDay },
]

/** Named days, and the days around New Year. */
export const HOLIDAY_FORMS: readonly DateForm[] = [
  ...HOLIDAYS.map(({ words, on }) =>
    form(String.raw`\b(?:(?:next|this)\s+)?(?:${words})\b${AFTER_YEAR}`, (match, posted) =>
      comingHoliday(match, posted, on),
    ),
  ),
  form(
    String.raw`\b(?:(?:the|this|these)\s+)?(?:holidays|holiday season|festive season)\b`,
    (match, posted) =>
      comingPeriod(match, posted, (year) => ({
        from: dayOf(year, 12, 25),
        to: dayOf(year, 12, 31),
        precision: 'day',
      })),
    { needsLead: true },
  ),
  form(
    String.raw`(?<!chinese |lunar |fiscal )\bnew year'?s?\b(?!\s+(?:eve|day|resolution|rally))`,
    readYear,
    { needsLead: true, isEnd: true },
  ),
  form(
    String.raw`\b(?:ring(?:ing)?|usher(?:ing)?)\s+in\s+(?:(?:the\s+)?new year|(?<year>${YEAR}))`,
    (match, posted) => {
      const next = group(match, 'year')
      const year = next === null ? yearNamed(match, posted) : (yearOf(next) ?? 0) - 1
      return year === null ? null : dayPeriod(dayOf(year, 12, 31))
    },
    THE_END,
  ),
]

/** Some holidays recur only every few years. */
function comingHoliday(
  match: RegExpExecArray,
  posted: PostDate | null,
  on: Holiday['on'],
): Period | null {
  const next = posted === null ? 0 : partsOf(posted.day).year
  const isNamed = yearNamed(match, null) !== null || group(match, 'which') !== null
  const years = isNamed ? [yearNamed(match, posted) ?? next] : [0, 1, 2, 3, 4].map((n) => next + n)
  if (!isNamed && posted === null) return null
  const days = years.flatMap((year) => on(year) ?? [])
  const coming = isNamed ? days[0] : days.find((day) => posted !== null && day >= posted.day)
  return coming === undefined ? null : dayPeriod(coming)
}
