import { z } from 'zod'
import { categorySlug } from './categories.ts'
import { EDITORIAL_NAMES, PARTS } from './parts.ts'
import type { EditorialParts, PartLines } from './parts.ts'
import { SEVERITIES } from './safety/rule.ts'
import { CONTROL_CHARACTERS, HIDDEN_CHARACTERS, SLUG_RULE, isSlug, isVersionName } from './text.ts'
import { themeRecord } from './theme.ts'

/** Experience required to use a skill. */
const DIFFICULTIES = ['Beginner', 'Intermediate', 'Advanced'] as const

/** Longest name in a listing; the specification allows 64, but published skills exceed it. */
export const NAME_LIMIT = 100

/** Longest description of a record; the specification allows 1,024, but published skills exceed it. */
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
    .refine((text) => !HIDDEN_CHARACTERS.test(text), 'must not hold invisible characters')

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
  .refine(isCalendarDay, 'must be a valid date, as YYYY-MM-DD')

const isPlainHttp = (text: string): boolean => {
  if (/[\s\\]/.test(text) || CONTROL_CHARACTERS.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === ''
}

const address = z
  .string()
  .max(URL_LIMIT, `at most ${URL_LIMIT} characters`)
  .refine(isPlainHttp, 'must be an http or https address without user or password')

/** True also for a text that is not an address, which has a message of its own. */
const isOrigin = (text: string): boolean =>
  !URL.canParse(text) || new URL('/', text).href === new URL(text).href

const COUNTER = z.int('must be a whole number').min(0, 'must be 0 or more')

/** A handle such as a GitHub owner's; in lower case it becomes part of an address. */
const handle = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62})$/,
    'must be 1 to 63 letters, digits, "-" or "_", starting with a letter or digit',
  )

const slug = z.string().refine(isSlug, SLUG_RULE)

const PART_SCHEMAS = { paragraph: visible(PARAGRAPH_LIMIT), list: lines }

const parts = z.strictObject({
  summary: line(LINE_LIMIT).optional(),
  ...Object.fromEntries(PARTS.map(({ name, kind }) => [name, PART_SCHEMAS[kind].optional()])),
}) as z.ZodType<EditorialParts>

const lineRanges = z
  .array(
    z.string().regex(/^[1-9]\d{0,6}(?:-[1-9]\d{0,6})?$/, 'must be lines of SKILL.md, as "12-18"'),
  )
  .min(1, 'must not be empty')
  .max(ITEMS_LIMIT, `at most ${ITEMS_LIMIT} items`)

const partLines = z.strictObject(
  Object.fromEntries(EDITORIAL_NAMES.map((name) => [name, lineRanges.optional()])),
) as z.ZodType<PartLines>

const CATEGORY_LIMIT = { name: 40, count: 30 } as const

/** The name of a category; whether the registry has it is seen when the records are read together. */
const categoryName = line(CATEGORY_LIMIT.name).refine(
  (name) => !name.includes(','),
  'must have no comma',
)

const categoryRecords = z
  .array(z.strictObject({ name: categoryName, description: line(LINE_LIMIT) }))
  .min(1, 'must not be empty')
  .max(CATEGORY_LIMIT.count, `at most ${CATEGORY_LIMIT.count} categories`)
  .superRefine((all, context) => {
    const addresses = all.map(({ name }) => categorySlug(name))
    for (const [at, one] of addresses.entries()) {
      const first = addresses.indexOf(one)
      const message = ['', 'page', 'index'].includes(one)
        ? 'must give an address: a name with letters, which is not "page" or "index"'
        : `has the address of "${all[first]?.name}", ${one}; choose another name`
      if (first < at || message.startsWith('must'))
        context.addIssue({ code: 'custom', path: [at, 'name'], message })
    }
  })

/** Source of a skill and whether it is still reachable. */
const source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('own') }),
  z.strictObject({
    kind: z.literal('upstream'),
    /** Address of the upstream folder; on GitHub in the form `/tree/…`. */
    url: address,
    /** `copied`: taken from a disk, source not checked. `untraced`: source never seen; such a skill is not shown. */
    status: z.enum(['alive', 'copied', 'gone', 'untraced']),
    /** Day of the last check, or of the copy. */
    checked: day,
    /** Day the source was last reachable; kept when it is gone. */
    seen: day.optional(),
    /** Origin of the registry that it was mirrored from. */
    via: address.optional(),
  }),
])

/** Most accepted findings of one skill. */
const ACCEPTED_LIMIT = 200

/**
 * A finding that a curator has accepted; it counts again when a line it rests on, and so its digest, changes, or when it
 * becomes graver than it was then.
 */
export const acceptance = z.strictObject({
  rule: line(NAME_LIMIT),
  file: line(LINE_LIMIT),
  digest: z.string().regex(/^[0-9a-f]{16}$/, 'must be the 16 digits that `catalog check` shows'),
  severity: z.enum(SEVERITIES).optional(),
  by: line(NAME_LIMIT),
  when: day,
  why: line(LINE_LIMIT),
})
export type Acceptance = z.infer<typeof acceptance>

const ID = z.int('must be a whole number').min(1, 'must be 1 or more')

/** Who looks after a skill: a team's name, `@org/team` or a mail address, and where to find them. */
const owner = z.union(
  [line(NAME_LIMIT), z.strictObject({ name: line(NAME_LIMIT), url: address.optional() })],
  'must be a name, or an object, as {"name": …, "url": …}',
)

/** Since when a skill is not to be used any more, why, and the slug of the one that takes its place. */
const deprecation = z.strictObject({
  since: day,
  reason: line(LINE_LIMIT).optional(),
  use: slug.optional(),
})

/** The schema of `skill.json`. The slug is the name of the folder; absent fields are read from SKILL.md. */
export const skillRecord = z.strictObject({
  id: ID,
  name: line(NAME_LIMIT).optional(),
  description: visible(DESCRIPTION_LIMIT).optional(),
  author: handle,
  category: categoryName,
  /** Day of the last change; absent if the source has no history. */
  updated: day.optional(),
  licence: line(NAME_LIMIT).optional(),
  difficulty: z.enum(DIFFICULTIES).optional(),
  owner: owner.optional(),
  deprecated: deprecation.optional(),
  source,
  parts: parts.optional(),
  /** The lines of SKILL.md that each of the parts rests on; `catalog check` holds them against the text. */
  partsFrom: partLines.optional(),
  accepted: z
    .array(acceptance)
    .max(ACCEPTED_LIMIT, `at most ${ACCEPTED_LIMIT} findings`)
    .optional(),
})
export type SkillRecord = z.infer<typeof skillRecord>

/** Which new versions of a source wait for a curator: those with new findings, those that change what runs, or all. */
export const reviewPolicy = z.enum(['findings', 'code', 'all'])

const STARTER_LIMIT = 12
/** Longest name that npm allows. */
const NPM_LIMIT = 214
const NAVIGATION_LIMIT = 6
const EXAMPLES_LIMIT = 6
const LABEL_LIMIT = 30
const MOST_KEPT = 1_000
const MOST_DAYS = 10_000

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
  'must be the path of a page, as "/categories", or an https address',
)

/** A link that every page shows. */
const navigationLink = z.strictObject({ label: line(LABEL_LIMIT), to: pathOrAddress })
export type NavigationLink = z.infer<typeof navigationLink>

const picture = z
  .string()
  .regex(/^[\w-][\w.-]*\.(?:svg|png)$/, 'must be the name of an SVG or PNG beside site.json')

/** The format of content folders that this version reads. */
const FORMAT = 1

/** The schema of `site.json`; /docs/own shows what its fields are described with. */
export const siteRecord = z.strictObject({
  format: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(FORMAT, `this version reads format ${FORMAT}; upgrade it: docs/own, "Upgrade", says how`)
    .optional()
    .meta({
      description: 'The form of the content folder. A version that does not know it says so.',
      fallback: FORMAT,
      example: FORMAT,
    }),
  name: line(NAME_LIMIT).meta({
    description: 'The name of the registry, on every page and in its titles.',
    example: 'Acme Skills',
  }),
  tagline: line(LINE_LIMIT).meta({
    description: 'One sentence below the name, on the home page and on shared pictures.',
    example: 'What our teams teach their assistants',
  }),
  description: visible(PARAGRAPH_LIMIT).meta({
    description: 'What the registry is, for search engines, llms.txt and the home page.',
    example: 'Skills that the teams of Acme wrote and reviewed.',
  }),
  origin: address.refine(isOrigin, 'must have no path, as https://skills.example').optional().meta({
    description: 'The address of the site. The variable SITE_URL overrides it.',
    fallback: 'http://localhost:4321',
    example: 'https://skills.acme.example',
  }),
  contact: address.optional().meta({
    description:
      'Where readers report something: a form, an issue tracker, or a repository of GitHub or GitLab, whose form for an issue is then filled in.',
    fallback: 'no such links',
    example: 'https://github.com/acme/skills',
  }),
  theme: themeRecord.optional().meta({
    description: 'Colours and fonts, each optional; see below.',
    fallback: 'those of this site',
    example: { accent: { light: '#7a1f5c', dark: '#f0a6d6' }, heading: "'Gill Sans', sans-serif" },
  }),
  logo: picture.optional().meta({
    description: 'A square picture in the masthead and on the home page: a file beside site.json.',
    fallback: 'our mark, a leaf of text',
    example: 'logo.svg',
  }),
  favicon: picture.optional().meta({
    description: 'The picture in tabs: a file beside site.json.',
    fallback: 'the logo, else our mark on the accent',
    example: 'favicon.png',
  }),
  navigation: z
    .array(navigationLink)
    .max(NAVIGATION_LIMIT, `at most ${NAVIGATION_LIMIT} links: they stand in one row`)
    .optional()
    .meta({
      description: 'The links in the masthead: paths of pages, or https addresses.',
      fallback: 'Skills, Blog where there are posts, Docs, and About where there is such a page',
      example: [
        { label: 'Skills', to: '/skills' },
        { label: 'Handbook', to: 'https://handbook.acme.example' },
      ],
    }),
  footer: line(LINE_LIMIT).optional().meta({
    description: 'A line of Markdown at the foot of every page; HTML in it is shown as text.',
    fallback: 'whether the registry is public',
    example: 'Questions? Ask the [platform team](https://chat.acme.example).',
  }),
  categories: categoryRecords.optional().meta({
    description:
      'The categories of the registry, in their order: 1 to 30 names of at most 40 characters, each with a sentence. Every skill is in one; a new one says which, in its record or in the row of its source.',
    fallback: 'nine, from Coding to Writing, chosen by the words of a skill',
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
      fallback: 'tasks of three skills, each the first that its search finds',
      example: ['release notes', 'review a migration'],
    }),
  policy: z
    .strictObject({
      worst: z.enum(['none', 'low', 'medium']).optional(),
      licences: z.array(line(NAME_LIMIT)).min(1, 'must not be empty').optional(),
      owner: z.boolean('must be true or false').optional(),
      tokens: z.int('must be a whole number').min(1, 'must be 1 or more').optional(),
    })
    .optional()
    .meta({
      description:
        'Rules for every skill: the worst finding that nobody has accepted, the licences, whether a skill needs an owner, and the most tokens of a SKILL.md. What breaks one is an error of check and of the build, and update holds it back.',
      fallback: 'no such rules',
      example: { worst: 'low', licences: ['MIT', 'Apache-2.0'], owner: true, tokens: 20_000 },
    }),
  private: z.boolean('must be true or false').optional().meta({
    description:
      'For a registry with restricted access: no cache keeps an answer, and search engines are told to keep away. Who may read it is up to your proxy.',
    fallback: false,
    example: true,
  }),
  review: reviewPolicy.optional().meta({
    description:
      'Which new versions wait for a curator in sources that are added from then on: those with findings, those that change code, or all.',
    fallback: 'code in a private registry, else findings',
    example: 'code',
  }),
  starter: z
    .array(slug)
    .max(STARTER_LIMIT, `at most ${STARTER_LIMIT} slugs: a client downloads them all first`)
    .refine((slugs) => new Set(slugs).size === slugs.length, 'must not name a skill twice')
    .optional()
    .meta({
      description:
        'Slugs of the skills that clients are offered at the address of the site, in this order.',
      fallback: 'none',
      example: ['release-notes', 'find-skills-here'],
    }),
  npm: z
    .string()
    .max(NPM_LIMIT, `at most ${NPM_LIMIT} characters`)
    .regex(
      /^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*$/,
      'must be a package with a scope, as @acme/skills',
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
          'must be a whole commit of this repository; npm run versions writes one',
        ),
      keep: z
        .int('must be a whole number')
        .min(1, 'must be 1 or more')
        .max(MOST_KEPT, `at most ${MOST_KEPT} versions of a skill`)
        .optional(),
      days: z
        .int('must be a whole number')
        .min(0, 'must be 0 or more')
        .max(MOST_DAYS, `at most ${MOST_DAYS} days`)
        .optional(),
    })
    .optional()
    .meta({
      description:
        'Earlier versions of a skill stay at addresses of their own: the last 3 (keep), and of each of the last 90 days (days) the one that was current at its end. npm run versions writes it; the page Versions says what it promises.',
      fallback: 'only what is current is served',
      example: { since: '1f0c5d2a7b9e4c3d8f6a1b2c3d4e5f6a7b8c9d0e', keep: 3, days: 90 },
    }),
})

export type SiteRecord = z.infer<typeof siteRecord>

/** The schema of `counters.json`: views and installs by skill id. */
export const counterRecords = z.record(
  z.string().regex(/^[1-9]\d*$/, 'must be a skill id'),
  z.strictObject({ views: COUNTER, installs: COUNTER }),
)
export type Counters = Readonly<z.infer<typeof counterRecords>>

/** The schema of `copies.json`: the id of a copy, and the id of the skill it is a copy of. */
export const copyRecords = z.record(
  z.string().regex(/^[1-9]\d*$/, 'must be a skill id'),
  z.int('must be a skill id').min(1, 'must be a skill id'),
)
export type Copies = Readonly<z.infer<typeof copyRecords>>

const digest16 = z.string().regex(/^[0-9a-f]{16}$/, 'must be 16 digits')

/** The schema of `retired.json`: ids and slugs that are never reused. */
export const retiredRecords = z.array(
  z.strictObject({
    id: ID,
    slug,
    /** The slug that it redirects to; a renamed skill keeps its id. */
    movedTo: slug.optional(),
    /** Reason of the removal. */
    reason: line(LINE_LIMIT).optional(),
    /** Source of a removed skill, by which an import recognizes it. */
    source: address.optional(),
    /** Its name and the digest of its text, by which one that comes back from elsewhere in its repository is recognized. */
    name: line(NAME_LIMIT).optional(),
    text: digest16.optional(),
  }),
)
export type Retired = z.infer<typeof retiredRecords>[number]

const ADVISORY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** The schema of `withdrawn.json`: which versions are withdrawn, and why, in the words of OSV. */
export const advisoryRecords = z.array(
  z.strictObject({
    id: z.string().regex(ADVISORY_ID, 'must be 1 to 100 letters, digits, ".", "_" or "-"'),
    published: day,
    /** Day on which it turned out to be a mistake; from then on nothing is withdrawn by it. */
    withdrawn: day.optional(),
    summary: line(LINE_LIMIT),
    affected: z
      .array(
        z.strictObject({
          slug,
          versions: z
            .array(z.string().refine(isVersionName, 'must be the name of a version, twelve digits'))
            .min(1, 'must not be empty'),
        }),
      )
      .min(1, 'must not be empty'),
  }),
)
export type Advisory = z.infer<typeof advisoryRecords>[number]

/** A pattern of folders, as `skills/*` or `plugins/**`. */
const glob = line(LINE_LIMIT).regex(
  /^[^/]/,
  'must be a path inside the source, without a first "/"',
)
const globs = z.array(glob).max(ITEMS_LIMIT, `at most ${ITEMS_LIMIT} patterns`)

/** Most days that a version waits. */
const WAIT_LIMIT = 365

const sourceRow = z.strictObject({
  /** A git address, as `catalog import` takes it, or the origin of another registry. */
  address: line(URL_LIMIT),
  /** Branch, tag or commit; by default the one that its host shows first. */
  ref: line(NAME_LIMIT).optional(),
  /** Only skills in folders that one of these names. */
  include: globs.optional(),
  exclude: globs.optional(),
  /** Author of its skills, if not the owner of the repository. */
  author: handle.optional(),
  /** Category of its new skills, or of those in folders that a pattern names; the first one counts. */
  category: z
    .union(
      [categoryName, z.record(glob, categoryName)],
      'must be a category, or one for each pattern of folders, as {"plugins/*": …}',
    )
    .optional(),
  /** Who looks after its skills. */
  owner: owner.optional(),
  /** Where readers find the repository, for a file:// address. */
  source: line(URL_LIMIT).optional(),
  /** Whether the skills are the registry's own. */
  own: z.boolean('must be true or false').optional(),
  /** Variable of the environment with the token of a registry that wants a login. */
  tokenFrom: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{0,62}$/, 'must be the name of a variable, such as REGISTRY_TOKEN')
    .optional(),
  /** Which of its new versions wait for a curator: by default those with new findings. */
  review: reviewPolicy.optional(),
  /** Days that the others wait before they go in. */
  wait: z
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(WAIT_LIMIT, `at most ${WAIT_LIMIT} days`)
    .optional(),
  note: line(LINE_LIMIT).optional(),
})
export type SourceRow = z.infer<typeof sourceRow>

/** The schema of `sources.json`: what `catalog update` follows. */
export const sourceRecords = z.array(sourceRow)

/** A version by its digest, and the day of what happened to it. */
const decided = z.strictObject({ slug, digest: digest16, when: day })

/** The schema of `sources.state.json`, which the commands keep. */
export const sourceState = z.strictObject({
  /** By the digest of a row: its address, and the commit that was read last, or the ETag of a registry's list. */
  read: z.record(
    digest16,
    z.strictObject({
      address: line(URL_LIMIT),
      commit: line(NAME_LIMIT),
      /** How sources were read then; 0 if they are to be read again. */
      reading: z.int().optional(),
      /** Slugs that a registry has too; the catalog's own skills stay. */
      shadowed: z.array(slug).optional(),
    }),
  ),
  /** New skills that wait since too many came at once. */
  flooded: z.array(slug).default([]),
  /** Versions that wait for their days: since when, and the address of their source. */
  seen: z.array(decided.extend({ source: line(URL_LIMIT) })).default([]),
  /** Versions that a curator accepted, which need no second look. */
  accepted: z.array(decided).default([]),
  /** Versions that a curator rejected. */
  rejected: z.array(decided.extend({ isTold: z.boolean().optional() })),
})

/** The front matter of a page or a blog post. */
export const proseRecord = z.strictObject({
  title: line(NAME_LIMIT),
  description: line(LINE_LIMIT),
  /** Author; absent if it is the registry itself. */
  author: line(NAME_LIMIT).optional(),
  /** Day it is published; before that day, in UTC, it is on no site. */
  date: day,
  updated: day.optional(),
  /** Whether it is on no site yet. */
  draft: z.enum(['true', 'false']).optional(),
})
