import { z } from 'zod'
import { encodeForShells, hasPlainHost } from './address.ts'
import { categorySlug } from './categories.ts'
import { PARTS, SEARCHED_ASKS } from './parts.ts'
import type { EditorialParts } from './parts.ts'
import { SEVERITIES } from './safety/rule.ts'
import { CONTROL_CHARACTERS, SLUG_RULE, hasHidden, isSlug, isVersionName } from './text.ts'
import { themeRecord } from './theme.ts'

/** Experience required to use a skill. */
const DIFFICULTIES = ['Beginner', 'Intermediate', 'Advanced'] as const

/** Longest name of a skill, in characters; the specification allows 64, but published skills exceed it. */
export const NAME_LIMIT = 100

/** Longest description of a skill, in characters; the specification allows 1,024, but published skills exceed it. */
export const DESCRIPTION_LIMIT = 4_096

const LINE_LIMIT = 1_000
const PARAGRAPH_LIMIT = 4_000
const ITEMS_LIMIT = 50
const URL_LIMIT = 2_048

const visible = (limit: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(limit, `at most ${limit} characters`)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine((text) => text.isWellFormed(), 'must be valid Unicode')
    .refine((text) => !hasHidden(text), 'must not contain invisible characters')

const line = (limit: number) =>
  visible(limit).refine(
    (text) => !CONTROL_CHARACTERS.test(text),
    'must be one line without control characters',
  )

const lines = z.array(line(LINE_LIMIT)).max(ITEMS_LIMIT, `at most ${ITEMS_LIMIT} items`)

const isCalendarDay = (text: string): boolean => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const day = z
  .string('must be a date as YYYY-MM-DD')
  .regex(/^\d{4}-\d{2}-\d{2}$/, 'must be a date as YYYY-MM-DD')
  .refine(isCalendarDay, 'must be a valid date as YYYY-MM-DD')

const instant = z.iso.datetime({
  precision: 0,
  error: 'must be a time in UTC as YYYY-MM-DDThh:mm:ssZ',
})

const isPlainHttp = (text: string): boolean => {
  if (/[\s\\]/.test(text) || CONTROL_CHARACTERS.test(text) || !URL.canParse(text)) return false
  const url = new URL(text)
  return /^https?:$/.test(url.protocol) && hasPlainHost(url) && url.username + url.password === ''
}

const address = z
  .string()
  .max(URL_LIMIT, `at most ${URL_LIMIT} characters`)
  .refine(isPlainHttp, 'must be an http or https address without user or password')

/** Also true for a text that is not an address: `address` reports that. */
const isOrigin = (text: string): boolean =>
  !URL.canParse(text) || new URL('/', text).href === new URL(text).href

const whole = (least: 0 | 1) =>
  z.int('must be a whole number').min(least, `must be ${least} or more`)

const COUNTER = whole(0)
const ID = whole(1)

const digest16 = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 digits')
const digest64 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 digits')

/** The key of a skill in a record: its id. */
const idKey = z.string().regex(/^[1-9]\d*$/, 'must be a skill id')

/** A handle, such as a GitHub owner's; in lower case it becomes part of a page's address. */
const handle = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62})$/,
    'must be 1 to 63 letters, digits, "-" or "_", starting with a letter or digit',
  )

const slug = z.string().refine(isSlug, SLUG_RULE)

const PART_SCHEMAS = { paragraph: visible(PARAGRAPH_LIMIT), list: lines }

export const partSchemas = Object.fromEntries([
  ['summary', line(LINE_LIMIT)],
  ...PARTS.map(({ name, kind }) => [name, PART_SCHEMAS[kind]]),
]) as Readonly<Record<keyof EditorialParts, z.ZodType>>

const parts = z.strictObject(partSchemas).partial() as z.ZodType<EditorialParts>

/** Example prompts all of which are searched, to the end. */
export const askList = z
  .array(line(SEARCHED_ASKS.characters))
  .min(1, 'must not be empty')
  .max(SEARCHED_ASKS.count, `at most ${SEARCHED_ASKS.count} asks`)

const CATEGORY_LIMIT = { name: 40, count: 30 } as const

/** A category's name; `load.ts` checks that the registry has this category. */
const categoryName = line(CATEGORY_LIMIT.name).refine(
  (name) => !name.includes(','),
  'must not contain a comma',
)

const categoryRecords = z
  .array(z.strictObject({ name: categoryName, description: line(LINE_LIMIT) }))
  .min(1, 'must not be empty')
  .max(CATEGORY_LIMIT.count, `at most ${CATEGORY_LIMIT.count} categories`)
  .superRefine((all, context) => {
    const addresses = all.map(({ name }) => categorySlug(name))
    for (const [at, path] of addresses.entries()) {
      const first = addresses.indexOf(path)
      const message = ['', 'page', 'index'].includes(path)
        ? 'must contain letters, and must not be "page" or "index": the name becomes an address'
        : `has the same address as "${all[first]?.name}", ${path}; choose another name`
      if (first < at || message.startsWith('must'))
        context.addIssue({ code: 'custom', path: [at, 'name'], message })
    }
  })

/** A skill's source and whether it is still reachable. */
const source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('own') }),
  z.strictObject({
    kind: z.literal('upstream'),
    /** Address of the upstream folder; on GitHub in the form `/tree/…`. Install commands contain it. */
    url: address.transform(encodeForShells),
    /** Address of the link in the followed folder that leads to `url`, if that is outside of the folder. */
    link: address.transform(encodeForShells).optional(),
    /** Day of the commit that `url` names; absent if it names none, or was recorded before imports wrote the day. */
    committed: day.optional(),
    status: z.enum(['alive', 'gone']),
    /** Day of the last check: `seen`, or the day when the source was found to be gone. */
    checked: day,
    /** Day of the last import, or of the last change that an update found; stays after the source is gone. */
    seen: day,
  }),
])

/** Digits of a digest that version 1.0.0 wrote: so few that an author can make two lines with the same ones. */
export const OLD_DIGITS = 16
/** Maximum number of accepted findings of one skill. */
const ACCEPTED_LIMIT = 200
/** Maximum number of hosts that an acceptance names. */
export const HOSTS_LIMIT = 20

/**
 * A finding that a curator has accepted. It counts again if the lines that it is based on change (and so the digest),
 * or if it becomes more severe than it was when accepted.
 */
export const acceptance = z.strictObject({
  rule: line(NAME_LIMIT),
  file: line(LINE_LIMIT),
  /** One of OLD_DIGITS accepts nothing any more; `check` names it. */
  digest: z
    .string()
    .regex(
      /^(?:[0-9a-f]{64}|[0-9a-f]{16})$/,
      'must be the 64 digits that `catalog check --json` shows',
    ),
  severity: z.enum(SEVERITIES).optional(),
  by: line(NAME_LIMIT),
  when: day,
  why: line(LINE_LIMIT),
  /** The hosts of the line, or else of the skill, when it was accepted. */
  hosts: z.array(line(NAME_LIMIT)).max(HOSTS_LIMIT).optional(),
})
export type Acceptance = z.infer<typeof acceptance>

/** Who maintains a skill: a team's name, `@org/team` or a mail address, and optionally where to find them. */
const owner = z.union(
  [line(NAME_LIMIT), z.strictObject({ name: line(NAME_LIMIT), url: address.optional() })],
  'must be a name, or an object such as {"name": …, "url": …}',
)

/** When a skill was deprecated, why, and the slug of its replacement. */
const deprecation = z.strictObject({
  since: day,
  reason: line(LINE_LIMIT).optional(),
  use: slug.optional(),
})

/** The schema of `skill.json`. The folder's name is the slug; absent fields are read from SKILL.md. */
export const skillRecord = z.strictObject({
  id: ID,
  name: line(NAME_LIMIT).optional(),
  description: visible(DESCRIPTION_LIMIT).optional(),
  author: handle,
  category: categoryName,
  /** Day of the last change; absent if the source has no history. */
  updated: day.optional(),
  /** When this registry took its current version in; feeds list by it. Absent from records of earlier releases. */
  added: instant.optional(),
  licence: line(NAME_LIMIT).optional(),
  /**
   * If the source leaves the licence open: a digest of what states it. A licence that a curator sets beside it holds as
   * long as the digest is the same.
   */
  licenceDigest: digest64.optional(),
  difficulty: z.enum(DIFFICULTIES).optional(),
  owner: owner.optional(),
  deprecated: deprecation.optional(),
  /** The slug of the original; false for a skill that is not a copy. Without it, the build decides. */
  copyOf: z.union([slug, z.literal(false)], 'must be a slug, or false').optional(),
  source,
  parts: parts.optional(),
  accepted: z
    .array(acceptance)
    .max(ACCEPTED_LIMIT, `at most ${ACCEPTED_LIMIT} findings`)
    .optional(),
})
export type SkillRecord = z.infer<typeof skillRecord>

/** Which new versions of a source need a look: those with findings, those that also change other files than Markdown, or all. */
const reviewPolicy = z.enum(['findings', 'files', 'all'], {
  error: ({ input }) =>
    input === 'code'
      ? 'is gone; "files" comes nearest to it, and "all" lets nothing pass'
      : undefined,
})

const STARTER_LIMIT = 12
/** Longest name that npm allows. */
const NPM_LIMIT = 214
const NAVIGATION_LIMIT = 6
const EXAMPLES_LIMIT = 6
const LABEL_LIMIT = 30
const MOST_KEPT = 1_000

declare module 'zod' {
  /** The description of a field on /docs/own. */
  interface GlobalMeta {
    /** The default; absent if the field is required. */
    fallback?: string | number | boolean
    example?: unknown
  }
}

const pathOrAddress = line(URL_LIMIT).refine(
  (text) =>
    /^\/(?!\/)[\w\-./?=&+#~]*$/.test(text) || (text.startsWith('https:') && isPlainHttp(text)),
  'must be the path of a page, such as "/categories", or an https address',
)

/** A link that every page shows. */
const navigationLink = z.strictObject({ label: line(LABEL_LIMIT), to: pathOrAddress })
export type NavigationLink = z.infer<typeof navigationLink>

const picture = z
  .string()
  .regex(/^[\w-][\w.-]*\.(?:svg|png)$/, 'must be the name of an SVG or PNG beside site.json')

/** The format of content folders that this version reads. */
const FORMAT = 1

/** The schema of `site.json`; /docs/own shows the descriptions of its fields. */
export const siteRecord = z.strictObject({
  format: whole(1)
    .max(FORMAT, `this version reads format ${FORMAT}; to upgrade it, see "Upgrade" in docs/own`)
    .optional()
    .meta({
      description:
        'The format of the content folder. An older version of this software reports an error.',
      fallback: FORMAT,
      example: FORMAT,
    }),
  name: line(NAME_LIMIT).meta({
    description: 'The name of the registry, on every page and in page titles.',
    example: 'Acme Skills',
  }),
  tagline: line(LINE_LIMIT).meta({
    description: 'One sentence below the name, on the home page and on preview pictures.',
    example: 'What our teams teach their assistants',
  }),
  description: visible(PARAGRAPH_LIMIT).meta({
    description: 'What the registry is, for search engines and llms.txt.',
    example: 'Skills that the teams of Acme wrote and reviewed.',
  }),
  origin: address
    .refine(isOrigin, 'must be an address without a path, such as https://skills.example')
    .optional()
    .meta({
      description: 'The address of the site. The variable SITE_URL overrides it.',
      fallback: 'this machine, port 4321',
      example: 'https://skills.acme.example',
    }),
  contact: address.optional().meta({
    description:
      'Where readers report problems: a form, an issue tracker, or a GitHub or GitLab repository, whose issue form is then filled in.',
    fallback: 'no report links',
    example: 'https://github.com/acme/skills',
  }),
  theme: themeRecord.optional().meta({
    description: 'Colours and fonts, each optional; see below.',
    fallback: 'the colours and fonts of this site',
    example: { accent: { light: '#7a1f5c', dark: '#f0a6d6' }, heading: "'Gill Sans', sans-serif" },
  }),
  logo: picture.optional().meta({
    description:
      'A square picture in the page header and on the home page: a file beside site.json.',
    fallback: 'our mark',
    example: 'logo.svg',
  }),
  favicon: picture.optional().meta({
    description: 'The picture in browser tabs: a file beside site.json.',
    fallback: 'the logo, or our mark on the accent colour',
    example: 'favicon.png',
  }),
  navigation: z
    .array(navigationLink)
    .max(NAVIGATION_LIMIT, `at most ${NAVIGATION_LIMIT} links: they share one row`)
    .optional()
    .meta({
      description: 'The links in the page header: paths of pages, or https addresses.',
      fallback: 'Skills, Blog (if there are posts), Docs, and About (if there is such a page)',
      example: [
        { label: 'Skills', to: '/skills' },
        { label: 'Handbook', to: 'https://handbook.acme.example' },
      ],
    }),
  footer: line(LINE_LIMIT).optional().meta({
    description: 'A line of Markdown at the bottom of every page; HTML in it is shown as text.',
    fallback: 'a line that says whether the registry is public',
    example: 'Questions? Ask the [platform team](https://chat.acme.example).',
  }),
  categories: categoryRecords.optional().meta({
    description:
      'The categories of the registry, in their order: 1 to 30 names of at most 40 characters, each with a sentence. Every skill is in one category; for a new skill, its record or the row of its source names it.',
    fallback: 'nine, from Coding to Writing, chosen by the words of each skill',
    example: [
      { name: 'Payments', description: 'Invoices, refunds and the ledger.' },
      { name: 'Platform', description: 'Deploying, observing and paging.' },
    ],
  }),
  examples: z
    .array(line(NAME_LIMIT))
    .max(EXAMPLES_LIMIT, `at most ${EXAMPLES_LIMIT} examples`)
    .optional()
    .meta({
      description: 'Searches that the home page offers.',
      fallback: 'none',
      example: ['release notes', 'review a migration'],
    }),
  policy: z
    .strictObject({
      worst: z.enum(['none', 'low', 'medium']).optional(),
      licences: z.array(line(NAME_LIMIT)).min(1, 'must not be empty').optional(),
      owner: z.boolean('must be true or false').optional(),
      tokens: whole(1).optional(),
    })
    .optional()
    .meta({
      description:
        'Rules for every skill: the most severe finding without acceptance (worst), the allowed licences, whether it needs an owner, and the maximum tokens of its SKILL.md. A skill that breaks a rule fails check and the build; update says so.',
      fallback: 'no rules',
      example: { worst: 'low', licences: ['MIT', 'Apache-2.0'], owner: true, tokens: 20_000 },
    }),
  private: z.boolean('must be true or false').optional().meta({
    description:
      'For a registry with restricted access: responses forbid caching, and search engines are asked not to index the site. Your proxy decides who may read it.',
    fallback: false,
    example: true,
  }),
  review: reviewPolicy.optional().meta({
    description:
      'Which new versions need a look, unless the row of their source says so itself: those with findings (findings), those that also change files other than Markdown (files), or all (all).',
    fallback: 'all in a private registry, otherwise findings',
    example: 'all',
  }),
  starter: z
    .array(slug)
    .max(STARTER_LIMIT, `at most ${STARTER_LIMIT} slugs: a client downloads all of them first`)
    .refine((slugs) => new Set(slugs).size === slugs.length, 'must not name a skill twice')
    .optional()
    .meta({
      description:
        'Slugs of the skills that the address of the site offers to clients, in this order.',
      fallback: 'none',
      example: ['release-notes', 'find-skills-here'],
    }),
  npm: z
    .string()
    .max(NPM_LIMIT, `at most ${NPM_LIMIT} characters`)
    .regex(
      /^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/,
      'must be a package with a scope, such as @acme/skills',
    )
    .optional()
    .meta({
      description:
        'The npm package that npm run build -- --npm writes, for the npm registry of your company.',
      fallback: 'none',
      example: '@acme/skills',
    }),
  versions: z
    .strictObject({
      since: z
        .string()
        .regex(
          /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/,
          'must be a full commit hash of this repository; npm run versions writes it',
        ),
      keep: whole(1).max(MOST_KEPT, `at most ${MOST_KEPT} versions of a skill`).optional(),
    })
    .optional()
    .meta({
      description:
        'The newest versions of a skill have their own addresses: the last 3, or as many as keep says. npm run versions writes this field; the page Versions explains the promise.',
      fallback: 'only current versions are served',
      example: { since: '1f0c5d2a7b9e4c3d8f6a1b2c3d4e5f6a7b8c9d0e', keep: 3 },
    }),
})

export type SiteRecord = z.infer<typeof siteRecord>

/** The schema of `counters.json`: views and installs by skill id. */
export const counterRecords = z.record(idKey, z.strictObject({ views: COUNTER, installs: COUNTER }))
export type Counters = Readonly<z.infer<typeof counterRecords>>

/** The schema of `retired.json`: ids and slugs that are never reused. */
export const retiredRecords = z.array(
  z.strictObject({
    id: ID,
    slug,
    /** The slug to redirect to; a renamed skill keeps its id. */
    movedTo: slug.optional(),
    /** Why the skill was removed. */
    reason: line(LINE_LIMIT).optional(),
    /** The removed skill's source, so that an import recognizes it. */
    source: address.transform(encodeForShells).optional(),
    /** The skill's name and the digest of its text, to recognize it if it comes back elsewhere in its repository. */
    name: line(NAME_LIMIT).optional(),
    text: digest16.optional(),
  }),
)
export type Retired = z.infer<typeof retiredRecords>[number]

const ADVISORY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** The schema of `withdrawn.json`: which versions are withdrawn and why, with the field names of OSV. */
export const advisoryRecords = z.array(
  z.strictObject({
    id: z.string().regex(ADVISORY_ID, 'must be 1 to 100 letters, digits, ".", "_" or "-"'),
    published: day,
    /** Day when the advisory turned out to be a mistake and ceased to apply. */
    withdrawn: day.optional(),
    summary: line(LINE_LIMIT),
    affected: z
      .array(
        z.strictObject({
          slug,
          versions: z
            .array(z.string().refine(isVersionName, 'must be the name of a version: 32 hex digits'))
            .min(1, 'must not be empty'),
        }),
      )
      .min(1, 'must not be empty'),
  }),
)
export type Advisory = z.infer<typeof advisoryRecords>[number]

/** A pattern of folders, such as `skills/*` or `plugins/**`. */
const glob = line(LINE_LIMIT).regex(
  /^[^/]/,
  'must be a path inside the source, without a first "/"',
)
const globs = z.array(glob).max(ITEMS_LIMIT, `at most ${ITEMS_LIMIT} patterns`)

const sourceRow = z.strictObject({
  /** A git address, as for `catalog import`. */
  address: line(URL_LIMIT),
  /** Branch, tag or commit; the host's default branch if absent. */
  ref: line(NAME_LIMIT).optional(),
  /** Only skills in folders that match one of these patterns. */
  include: globs.optional(),
  exclude: globs.optional(),
  /** Author of its skills, if not the owner of the repository. */
  author: handle.optional(),
  /** Category of its new skills, or a category for each pattern of folders; the first match counts. */
  category: z
    .union(
      [categoryName, z.record(glob, categoryName)],
      'must be a category, or an object with a category for each pattern of folders, such as {"plugins/*": …}',
    )
    .optional(),
  /** Who maintains its skills. */
  owner: owner.optional(),
  /** The repository's public address, if `address` is a file:// address. */
  source: line(URL_LIMIT).optional(),
  /** Whether the skills are the registry's own. */
  own: z.boolean('must be true or false').optional(),
  /** Which new versions need a look; as `review` in `site.json` says by default. */
  review: reviewPolicy.optional(),
  note: line(LINE_LIMIT).optional(),
})
export type SourceRow = z.infer<typeof sourceRow>

/** The schema of `sources.json`: the sources that `catalog update` follows. */
export const sourceRecords = z.array(sourceRow)

const versionDigest = z.string().regex(/^[0-9a-f]{32}$/, 'must be the 32 digits of a version')

/** The schema of a line of `sources.lock`, which only the commands write. */
export const lockFact = z.union(
  [
    z.strictObject({
      /** The address of a row in `sources.json`, with its ref. */
      address: line(URL_LIMIT),
      /** The last commit that was read; absent if the source has to be read again. */
      commit: line(NAME_LIMIT).optional(),
      /** The digest of all else that decides what is read: the other fields of the row, this program, the skills taken. */
      reading: digest16.optional(),
    }),
    z.strictObject({ address: line(URL_LIMIT), left: versionDigest }),
    z.strictObject({
      address: line(URL_LIMIT),
      /** Or the first digits of another digest, which version 1.0.0 kept. */
      rejected: z.union([versionDigest, digest16]),
      slug,
    }),
    z.strictObject({ missed: slug, since: day }),
    z.strictObject({ lastId: ID }),
  ],
  'no fact that this program knows; delete the line, or use the program that wrote it',
)

/** The front matter of a page or a blog post. */
export const proseRecord = z.strictObject({
  title: line(NAME_LIMIT),
  description: line(LINE_LIMIT),
  /** Author; absent if the author is the registry itself. */
  author: line(NAME_LIMIT).optional(),
  /** Publication day in UTC; the page is not on the site before. */
  date: day,
  updated: day.optional(),
  /** A draft is not on the site. */
  draft: z.enum(['true', 'false']).optional(),
})
