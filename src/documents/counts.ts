/** Counts below this are shown to the last one. */
const SHOWN_EXACTLY = 1_000

/**
 * Writes a counter for a page: a large one rounded down to two digits, as `1200+`. It stays true while
 * the counter grows, so a page is written anew when a reader would see it, not at every install; the
 * API gives the exact number.
 */
export const showCount = (count: number): string => {
  if (count < SHOWN_EXACTLY) return String(count)
  const unit = 10 ** (String(count).length - 2)
  return `${Math.floor(count / unit) * unit}+`
}
