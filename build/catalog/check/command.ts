import { existsSync, globSync } from 'node:fs'
import { join, posix } from 'node:path'
import { nameCategories } from '../../../src/catalog/categories.ts'
import { splitLoosely } from '../../../src/catalog/front-matter.ts'
import { SKILL_TIME, runEach } from '../../../src/catalog/in-time.ts'
import { findMisfits, listSlugs, loadSiteContent, readOptional } from '../../../src/catalog/load.ts'
import { suggestNearest } from '../../../src/catalog/nearest-name.ts'
import {
  PROBLEM_SEVERITIES,
  readPlainFile,
  refuseField,
  renderPlaced,
} from '../../../src/catalog/problems.ts'
import type { JudgedSkill } from '../../../src/catalog/policy.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { skillRecord, sourceRecords } from '../../../src/catalog/schema.ts'
import type { Retired, SourceRow } from '../../../src/catalog/schema.ts'
import type { Identified } from '../../../src/catalog/references.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { countOf, decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { listIgnored } from '../../machine/checkout.ts'
import { workInGroups } from '../../machine/groups.ts'
import { createProgress } from '../../machine/progress.ts'
import type { Progress } from '../../machine/progress.ts'
import {
  CommandError,
  CONTENT_OPTION,
  JSON_OPTION,
  readContentOption,
  refuse,
  renderColumns,
  renderJson,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { RETIRED_FILE, SITE_FILE, SOURCES_FILE, recordName } from '../store/records.ts'
import { findFirst } from '../retire/new-id.ts'
import { loadSourcesLock } from '../store/sources-lock.ts'
import { createFollowsTest } from '../update/gone.ts'
import { addDays, findRepeated } from '../update/sources.ts'
import { checkCuts } from './check-fields.ts'
import { checkSkill, openTarget } from './check-skill.ts'
import type { Folder, Target } from './check-skill.ts'
import { findDuplicates, listFields, placeProblems } from './places.ts'
import { RULES, makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import { findTargets } from './targets.ts'
import type { CheckedCatalog } from './targets.ts'

/** Progress is shown for at least this many skills. */
const MANY = 100

/** Checks a group of skills, each in bounded time. */
const checkGroup = (targets: readonly Target[], limit: number) =>
  runEach(limit, targets.map(openTarget), checkSkill)

/** JSON files that people edit, besides records. */
const EDITED = [SITE_FILE, RETIRED_FILE, SOURCES_FILE]

/** The text fields of posts and pages. */
const TEXT_FIELDS = new Set(['title', 'description', 'author'])

/** Finds values cut short by a comment. A text without a front matter is reported elsewhere. */
const findCuts = (text: string): Violation[] => {
  if (splitLoosely(text).block === undefined) return []
  return checkCuts(listFields(text).filter(({ field }) => TEXT_FIELDS.has(field)))
}

/** Reports faults that the build ignores: duplicate JSON fields, and values of posts and pages cut by a comment. */
const checkEdited = ({ folder, shown }: Folder): Problem[] => {
  const report = (file: string, find: (text: string) => Violation[]): Problem[] =>
    find(decodeLoosely(readPlainFile(join(folder, file)))).map((violation) =>
      makeProblem(posix.join(shown, file), violation),
    )
  const records = EDITED.filter((file) => existsSync(join(folder, file)))
  const texts = globSync('{blog,pages}/*.md', { cwd: folder }).sort()
  return [
    ...records.flatMap((file) => report(file, findDuplicates)),
    ...texts.flatMap((file) => report(file, findCuts)),
  ]
}

/** A public registry lists a skill that it does not follow for this long after its source was last seen, in days. */
const SEEN_LIMIT = 90

/** Reports listed skills from elsewhere that no row of sources.json follows. */
const checkFollowed = (
  shown: string,
  skills: readonly JudgedSkill[],
  rows: readonly SourceRow[],
  { isPrivate, today }: { isPrivate: boolean; today: string },
): Problem[] => {
  const tests = rows.map(createFollowsTest)
  return skills.flatMap(({ slug, source }) => {
    if (source.kind === 'own' || source.status === 'gone') return []
    if (tests.some((follows) => follows(source))) return []
    const isOld = !isPrivate && addDays(source.seen, SEEN_LIMIT) < today
    const rule = isOld ? 'source-old' : 'source-unfollowed'
    const detail = `${source.url}, seen ${source.seen}`
    return [makeProblem(posix.join(shown, recordName(slug)), { rule, detail })]
  })
}

/** Reads the records of the skills that are not checked. Their faults are not reported. */
const readOthers = (folder: string, slugs: ReadonlySet<string>) =>
  listSlugs(folder)
    .filter((slug) => !slugs.has(slug))
    .flatMap((slug) => {
      const record = readOptional(folder, recordName(slug), skillRecord, [])
      return record ? [{ ...record, slug }] : []
    })

/** Reports checked skills that have the name of another skill. A record without a name has its folder's. */
const checkNames = (
  shown: string,
  skills: readonly JudgedSkill[],
  others: ReturnType<typeof readOthers>,
): Problem[] => {
  const named = others.map(({ slug, name = slug }) => ({ slug, name }))
  const byName = Map.groupBy([...skills, ...named], ({ name }) => name)
  return skills.flatMap(({ slug, name }) => {
    const other = byName.get(name)!.find((skill) => skill.slug !== slug)
    if (!other) return []
    const detail = `${showValue(name)}, as skills/${other.slug}`
    return [
      makeProblem(posix.join(shown, 'skills', slug, SKILL_MD), {
        rule: 'name-shared',
        detail,
      }),
    ]
  })
}

/** Says of ids that two branches gave which skill had them first, if git knows. */
const nameFirst = (
  folder: string,
  misfits: readonly Problem[],
  skills: readonly Identified[],
  retired: readonly Retired[],
): Problem[] =>
  misfits.map((problem) => {
    const skill = skills.find(({ slug }) => recordName(slug) === problem.file)
    const twins = problem.field === 'id' ? skills.filter(({ id }) => id === skill?.id) : []
    const first = twins.length > 1 ? findFirst(folder, twins, retired) : undefined
    return first === undefined
      ? problem
      : { ...problem, remedy: `${problem.remedy}; skills/${first} had it first` }
  })

/** What version 1.0.0 wrote beside the skills, with what to do about it. */
const OLD_FILES: Readonly<Record<string, string>> = {
  'sources.state.json':
    'run "skill-registry upgrade", or add a line {"address": …, "rejected": <digest>, "slug": …} to sources.lock for each of its rejections; then remove it',
  pending: 'remove it: the next update writes these versions into skills/, for a review in git',
}

const findOldFiles = ({ folder, shown }: Folder): Problem[] =>
  Object.entries(OLD_FILES)
    .filter(([name]) => existsSync(join(folder, name)))
    .map(([name, remedy]) => makeProblem(posix.join(shown, name), { rule: 'old-file', remedy }))

/** Files by which every skill is judged. A fault in one hides faults of the skills. */
const SHARED_FILES = new Set<string>([SITE_FILE, RETIRED_FILE])

/** Checks a catalog; or, if only some of its skills are checked, how these agree with the rest. */
const checkCatalog = (
  { folder, shown, slugs }: CheckedCatalog,
  skills: readonly JudgedSkill[],
  today: string,
): Problem[] => {
  const { problems, ...site } = loadSiteContent(folder)
  const isOfThem = (path: string): boolean =>
    SHARED_FILES.has(path) || (slugs?.has(path.split('/')[1] ?? '') ?? true)
  const readNamed = (file: string): Buffer => readPlainFile(join(folder, file))
  // The build does not read sources.json and sources.lock, so they are checked here.
  const rows = readOptional(folder, SOURCES_FILE, sourceRecords, problems) ?? []
  problems.push(...findRepeated(rows))
  loadSourcesLock(folder, problems)
  const names = nameCategories(site.site)
  for (const [at, { category = [] }] of rows.entries())
    for (const value of typeof category === 'string' ? [category] : Object.values(category))
      if (!names.includes(value)) {
        const remedy = `must be one of ${names.join(', ')}`
        problems.push(refuseField(SOURCES_FILE, `${at}.category`, value, remedy))
      }
  const others = slugs ? readOthers(folder, slugs) : []
  const misfits = findMisfits(site, skills, others)
  const ignored = listIgnored(folder)
    .filter(isOfThem)
    .map((path) => makeProblem(posix.join(shown, path), { rule: 'git-ignored' }))
  return [
    ...placeProblems(
      readNamed,
      shown,
      [...problems, ...nameFirst(folder, misfits, [...skills, ...others], site.retired)].filter(
        ({ file }) => isOfThem(file),
      ),
    ),
    ...ignored,
    ...checkNames(shown, skills, others),
    ...(slugs ? [] : [...findOldFiles({ folder, shown }), ...checkEdited({ folder, shown })]),
    ...checkFollowed(shown, skills, rows, { isPrivate: site.site.private === true, today }),
  ]
}

/** Checks all targets, then their catalogs; `limit` is the time for one skill, in milliseconds. */
export const runCheck = async (
  { targets, catalogs, diagnostics: noticed }: ReturnType<typeof findTargets>,
  progress: Progress,
  today: string,
  limit = SKILL_TIME,
) => {
  const diagnostics = [...noticed]
  const skills: { facts: JudgedSkill; catalog: Folder | undefined }[] = []
  if (targets.length >= MANY) progress.stage('Checking skills', targets.length)
  const take = (
    outcome: ReturnType<typeof checkGroup>[number],
    { shown, fileName, catalog }: Target,
  ): void => {
    if (targets.length >= MANY) progress.step()
    if ('fault' in outcome) {
      const violation = { rule: 'unchecked', detail: outcome.fault }
      diagnostics.push(makeProblem(posix.join(shown, fileName), violation))
      return
    }
    const { diagnostics: found, facts } = outcome.result
    for (const diagnostic of found) diagnostics.push(diagnostic)
    if (facts) skills.push({ facts, catalog })
  }
  await workInGroups(targets, (group) => checkGroup(group, limit), take)
  progress.end()
  const ofCatalogs = catalogs.flatMap((folder) => {
    const ofCatalog = skills.filter(({ catalog }) => catalog?.folder === folder.folder)
    return checkCatalog(
      folder,
      ofCatalog.map(({ facts }) => facts),
      today,
    )
  })
  return { skills: targets.length, diagnostics: [...ofCatalogs, ...diagnostics] }
}

/** Counts the diagnostics of each rule, sorted by severity and then by count. */
const summarize = (diagnostics: readonly Problem[]) => {
  const groups = Map.groupBy(diagnostics, ({ rule, severity }) => `${severity} ${rule}`)
  return [...groups.values()]
    .map((same) => {
      const { severity, rule } = same[0]!
      const files = new Set(same.map(({ file }) => file)).size
      return { severity, rule, count: same.length, files }
    })
    .sort(
      (a, b) =>
        PROBLEM_SEVERITIES.indexOf(a.severity) - PROBLEM_SEVERITIES.indexOf(b.severity) ||
        b.count - a.count,
    )
}

const renderText = (diagnostics: readonly Problem[]): string => {
  const summary = summarize(diagnostics).map(({ severity, rule, count, files }) => [
    String(count),
    severity,
    rule,
    `in ${countOf(files, 'file')}: ${RULES.get(rule)?.message}`,
  ])
  return [...renderColumns(summary), '', ...diagnostics.map(renderPlaced)].join('\n')
}

const readRule = ({ values: { rule } }: Arguments): string | undefined => {
  if (rule === undefined || RULES.has(rule)) return rule
  const advice = suggestNearest(rule, [...RULES.keys()]) || '.'
  return refuse(`--rule ${showValue(rule)} is not a rule${advice}`)
}

const run = async (args: Arguments, { print, stderr, today }: CommandContext): Promise<void> => {
  const rule = readRule(args)
  const paths = args.positionals.length === 0 ? [readContentOption(args)] : args.positionals
  const targets = findTargets(paths, process.cwd())
  const report = await runCheck(targets, createProgress(stderr), today)
  const diagnostics = report.diagnostics.filter(
    (diagnostic) =>
      rule === diagnostic.rule || (rule === undefined && !RULES.get(diagnostic.rule)!.isOnRequest),
  )
  if (args.switches.has('json')) {
    print(renderJson({ ...report, rules: summarize(diagnostics), diagnostics }))
  } else if (diagnostics.length > 0) print(renderText(diagnostics))
  const counts = PROBLEM_SEVERITIES.map((severity) =>
    countOf(diagnostics.filter((diagnostic) => diagnostic.severity === severity).length, severity),
  )
  const line = `${countOf(report.skills, 'skill')}: ${counts.join(', ')}`
  if (diagnostics.some(({ severity }) => severity === 'error')) throw new CommandError(line)
  stderr.write(`${line}\n`)
}

export const checkCommand: Command = {
  name: 'check',
  positionals: { usage: '<SKILL.md, folder, repository or catalog>…', least: 0, most: Infinity },
  summary: 'Checks a catalog or skills: prints a summary by rule, then each problem',
  options: {
    rule: {
      value: '<id>',
      help: 'Reports only this rule; no-asks, skills without example prompts, is reported in no other way',
    },
    ...CONTENT_OPTION,
    ...JSON_OPTION,
  },
  help: [
    'Checks what the build refuses, the Agent Skills specification, links to files, sizes, and the findings of the safety scan. Without a path, checks the catalog. Skills outside of a catalog can be checked, too. Changes nothing.',
    'Each line is file:line:column severity rule message — remedy. Lines and columns count from 1. At most five places are reported for each rule and file.',
    'The exit code is 1 if there are errors. Faults that only the author of a copied skill can fix are warnings.',
  ],
  run,
}
