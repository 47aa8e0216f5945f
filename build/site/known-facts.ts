import type { SkillFacts } from '../../src/catalog/skill.ts'
import { readDetails } from './row-details.ts'
import type { SkillRow } from './state.ts'

/**
 * The facts of a row with its counters. What orders lists stands in the row; the rest is read when it is asked
 * for, which most builds do of the skills of a few pages.
 */
export class KnownFacts implements SkillFacts {
  readonly #row: SkillRow
  #rest: SkillFacts | undefined

  constructor(row: SkillRow) {
    this.#row = row
  }

  get #read(): SkillFacts {
    return (this.#rest ??= readDetails(this.#row).facts)
  }

  get id(): number {
    return this.#row.id
  }

  get slug(): string {
    return this.#row.slug
  }

  get name(): string {
    return this.#row.name
  }

  get author(): string {
    return this.#row.author
  }

  get category(): SkillFacts['category'] {
    return this.#row.category
  }

  get views(): number {
    return this.#row.views
  }

  get installs(): number {
    return this.#row.installs
  }

  get updated(): string {
    return this.#row.updated
  }

  get visibility(): SkillFacts['visibility'] {
    return this.#row.visibility
  }

  get description(): string {
    return this.#read.description
  }

  get difficulty(): SkillFacts['difficulty'] {
    return this.#read.difficulty
  }

  get safety(): SkillFacts['safety'] {
    return this.#read.safety
  }

  get source(): SkillFacts['source'] {
    return this.#read.source
  }
}
