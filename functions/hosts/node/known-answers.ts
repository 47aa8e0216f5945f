import type { Answer, Report } from '../../answers.ts'
import { chooseForm } from '../../negotiate.ts'
import { serve } from '../../respond.ts'
import type { SiteSource } from '../../respond.ts'
import type { SiteRequest } from '../../route.ts'
import type { ServedSite } from '../../site.ts'
import { chooseCoding } from './coding.ts'
import type { Compressor, Coding } from './coding.ts'

/** Answers that are remembered without their bytes, some 1.5 KB each. */
const REMEMBERED = 4_096

/** An address in its one spelling, or nearly so: others would drop what readers ask for. */
const PLAIN = /^\/[\w./~-]{0,200}$/

/** What an answer depends on, in few words; undefined where it depends on more. */
const keyOf = (
  { method, target, accept, ifNoneMatch, range }: SiteRequest,
  accepted: string | undefined,
): string | undefined => {
  if (method !== 'GET' || ifNoneMatch !== undefined || range !== undefined) return undefined
  if (!PLAIN.test(target)) return undefined
  return `${chooseForm(accept)} ${chooseCoding(accepted) ?? ''} ${target}`
}

/**
 * Answers requests and caches the status and headers for each file of a build, not the bytes: 1.3 to 1.85 times the
 * answers a CPU second (`bench:host`). The `current` link and the file's size and ctime are still checked every time.
 */
export class KnownAnswers {
  readonly #known = new WeakMap<ServedSite, Map<string, Answer>>()
  readonly #compressor

  constructor(compressor: Compressor) {
    this.#compressor = compressor
  }

  /** Answers in an accepted coding. Throws only if a file cannot be read. */
  async answer(
    request: SiteRequest,
    accepted: string | undefined,
    source: SiteSource,
    report: Report,
  ): Promise<Answer> {
    const key = keyOf(request, accepted)
    const known = key === undefined ? undefined : await this.#knownOf(source)
    const found = key === undefined ? undefined : known?.get(key)
    const again = found && (await this.#renew(found))
    if (again) return again
    const served = await serve(request, source, report)
    const answer = await this.#compressor.codeAnswer(served, accepted)
    if (key !== undefined) remember(known, key, answer)
    return answer
  }

  async #knownOf(source: SiteSource): Promise<Map<string, Answer> | undefined> {
    try {
      const site = await source.current()
      const known = this.#known.get(site) ?? new Map<string, Answer>()
      this.#known.set(site, known)
      return known
    } catch {
      // Whoever answers says so.
      return undefined
    }
  }

  /** Gives an answer its bytes again, unless its file is another or what was compressed of it is gone. */
  async #renew(answer: Answer): Promise<Answer | undefined> {
    const { file, headers } = answer
    const coding = headers['Content-Encoding'] as Coding | undefined
    try {
      if (!file?.isSame?.()) return undefined
      const body = coding ? this.#compressor.find(headers['ETag'], coding) : await file.body()
      return body && { ...answer, body }
    } catch {
      return undefined
    }
  }
}

const remember = (known: Map<string, Answer> | undefined, key: string, answer: Answer): void => {
  if (!known || answer.status !== 200 || !answer.file?.isSame) return
  known.delete(key)
  known.set(key, { ...answer, body: null })
  for (const first of known.keys()) {
    if (known.size <= REMEMBERED) return
    known.delete(first)
  }
}
