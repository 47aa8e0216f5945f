const MONTH_NAMES = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Renders a day, YYYY-MM-DD, as `<time datetime="2026-11-02">2 Nov 2026</time>`. */
export const renderDay = (day: string): string => {
  const [, year, month, date] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)!
  return `<time datetime="${day}">${Number(date)} ${MONTH_NAMES[Number(month) - 1]} ${year}</time>`
}
