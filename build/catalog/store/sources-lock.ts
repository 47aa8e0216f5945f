import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import {
  ContentError,
  listProblems,
  readPlainFile,
  refuseFile,
} from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { lockFact } from '../../../src/catalog/schema.ts'

/** The state that commands keep beside `sources.json`: a fact a line, sorted, so that git merges it line by line. */
export const SOURCES_LOCK = 'sources.lock'

type Fact = z.infer<typeof lockFact>
type FactOf<Field extends string> = Extract<Fact, Record<Field, unknown>>

export interface SourcesLock {
  /** What `update` last read of a source, by address and ref; without `commit`, the source is read again. */
  read: Map<string, { commit?: string | undefined; reading?: string | undefined }>
  /** Versions that `update --safe` left out. */
  left: FactOf<'left'>[]
  /** Versions that a curator rejected, by their digest: they are offered under no slug of any source. */
  rejected: FactOf<'rejected'>[]
  /** Followed skills that their source no longer has: the day on which that was first seen, by slug. */
  missed: Map<string, string>
  /** The highest id ever assigned by `update`. */
  lastId: number
}

/** The lines between which git leaves the two sides of a conflict. */
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/

const CONFLICT_REMEDY =
  'delete the lines with markers and keep all others; "sources.lock merge=union" in .gitattributes avoids such conflicts'

/** Parses one line. Returns why it is invalid, and the remedy. */
const parseFact = (text: string): Fact | [message: string, remedy: string] => {
  if (CONFLICT.test(text)) return ['a conflict marker of git', CONFLICT_REMEDY]
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return [`not JSON: ${error.message}`, 'correct the line']
    throw error
  }
  const { data, error } = lockFact.safeParse(input)
  const [problem] = error ? listProblems('', input, error) : []
  return data ?? [problem!.message, problem!.remedy]
}

/** Adds a fact to a lock. Of two branches, whose facts git united, the one that is safe to assume counts. */
const addFact = (lock: SourcesLock, fact: Fact): void => {
  if ('left' in fact) lock.left.push(fact)
  else if ('rejected' in fact) lock.rejected.push(fact)
  else if ('lastId' in fact) lock.lastId = Math.max(lock.lastId, fact.lastId)
  else if ('missed' in fact) {
    const known = lock.missed.get(fact.missed) ?? fact.since
    lock.missed.set(fact.missed, known < fact.since ? known : fact.since)
  } else {
    const { address, ...now } = fact
    const known = lock.read.get(address) ?? now
    const isOne = known.commit === now.commit && known.reading === now.reading
    lock.read.set(address, isOne ? now : {})
  }
}

/** Reads the lock of a content folder, and adds to `problems`. */
export const loadSourcesLock = (content: string, problems: Problem[]): SourcesLock => {
  const lock = { read: new Map(), left: [], rejected: [], missed: new Map(), lastId: 0 }
  const path = join(content, SOURCES_LOCK)
  const lines = existsSync(path) ? readPlainFile(path).toString('utf8').split('\n') : []
  for (const [at, text] of lines.entries()) {
    if (text.trim() === '') continue
    const fact = parseFact(text.trim())
    const line = at + 1
    if (!Array.isArray(fact)) addFact(lock, fact)
    else problems.push({ ...refuseFile(SOURCES_LOCK, `line ${line}: ${fact[0]}`, fact[1]), line })
  }
  return lock
}

/** Throws ContentError. */
export const readSourcesLock = (content: string): SourcesLock => {
  const problems: Problem[] = []
  const lock = loadSourcesLock(content, problems)
  if (problems.length > 0) throw new ContentError(problems)
  return lock
}

export const renderSourcesLock = ({
  read,
  left,
  rejected,
  missed,
  lastId,
}: SourcesLock): string => {
  const facts: Fact[] = [
    ...[...read].map(([address, { commit, reading }]) => ({ address, commit, reading })),
    ...left.map(({ address, left: digest }) => ({ address, left: digest })),
    ...rejected.map(({ address, rejected: digest, slug }) => ({ address, rejected: digest, slug })),
    ...[...missed].map(([slug, since]) => ({ missed: slug, since })),
    ...(lastId > 0 ? [{ lastId }] : []),
  ]
  const lines = new Set(facts.map((fact) => `${JSON.stringify(fact)}\n`))
  return [...lines].sort().join('')
}
