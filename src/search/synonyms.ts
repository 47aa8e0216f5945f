import type { QueryWords } from './query.ts'
import { stemWord } from './tokens.ts'

/**
 * Names for the same thing, one group per line: short forms, file types, brands, spellings. Add only established names,
 * not words that a single query missed. A name can be in several groups.
 */
export const SAME_NAMES = `
accessibility, a11y, wcag
internationalization, i18n
localization, l10n
kubernetes, k8s
observability, o11y
end to end, e2e
continuous integration, ci
continuous delivery, continuous deployment, cd
cicd, ci cd
infrastructure as code, iac
test driven development, tdd
behavior driven development, bdd, gherkin
domain driven design, ddd
minimum viable product, mvp
proof of concept, poc
object relational mapping, orm
software development kit, sdk
application programming interface, api
command line, cli
user interface, ui, gui
user experience, ux
developer experience, dx
progressive web app, pwa
single page application, spa
server side rendering, ssr
static site generator, ssg
database, db, dbs
exploratory data analysis, eda
extract transform load, etl, elt, data pipeline
business intelligence, bi
machine learning, ml
artificial intelligence, ai
large language model, llm
retrieval augmented generation, rag
natural language processing, nlp
computer vision, cv
optical character recognition, ocr, text recognition
text to speech, tts, speech synthesis
speech to text, stt, transcription, speech recognition
model context protocol, mcp
language server, lsp
webassembly, wasm
virtual machine, vm, vms
message queue, mq, pubsub
internet of things, iot
augmented reality, ar
virtual reality, vr
pull request, merge request, pr, prs
operating system, os
amazon web services, aws
google cloud, gcp
github actions, gha
search engine optimization, seo
conversion rate optimization, cro
content management system, cms
customer relationship management, crm
enterprise resource planning, erp
software as a service, saas
go to market, gtm
ideal customer profile, icp
key performance indicator, kpi
objectives and key results, okr
return on investment, roi
product requirements document, prd
request for comments, rfc
request for proposal, rfp
architecture decision record, adr
standard operating procedure, sop
service level objective, slo, service level agreement, sla
non disclosure agreement, nda, confidentiality agreement
terms of service, terms and conditions, tos
personal data, personally identifiable information, pii
multi factor authentication, two factor authentication, mfa, 2fa
single sign on, sso
role based access control, rbac
identity and access management, iam
cross site scripting, xss
cross site request forgery, csrf
penetration test, pentest
static analysis, sast
software bill of materials, sbom
human resources, hr
frequently asked questions, faq
javascript, js
typescript, ts
python, py
golang, go lang
csharp, c sharp
postgres, postgresql, psql
mongodb, mongo
elasticsearch, elastic
terraform, tf, opentofu
nodejs, node
nextjs, next
vuejs, vue
reactjs, react
react native, rn
rails, ruby on rails
shell script, bash
yaml, yml
markdown, md
latex, tex
powerpoint, pptx, ppt, slides, slide deck, presentation
spreadsheet, excel, xlsx, google sheets
word document, docx, microsoft word
email, e mail, mail
resume, curriculum vitae, cv
twitter, tweet
flowchart, flow chart
mindmap, mind map
login, log in, signin, sign in
signup, sign up, registration
logout, log out, sign out
frontend, front end, client side
backend, back end, server side
fullstack, full stack
realtime, real time
websocket, web socket
open source, oss
changelog, release notes
code style, style guide, coding standards
postmortem, post mortem, incident review
cron, scheduled job
gamedev, game development
geospatial, gis
color, colour
behavior, behaviour
license, licence
`

const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  a an the this that these those some any all such
  i me my we us our you your he she his her it its they them their
  is are was were be been am do does did has have had can could will would should may might must
  and or but if so than then as
  of on in into to too from for by at with about over up out off
  how what when where which while who whose why there here
  just also only very please want need needs let lets make get gets help use used using like some
  `
    .trim()
    .split(/\s+/),
)

const stemName = (name: string): string => name.split(' ').map(stemWord).join(' ')

const searchedStems = (name: string): string[] =>
  name
    .split(' ')
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemWord)

const readNames = () => {
  const names = new Map<string, string[][]>()
  for (const row of SAME_NAMES.trim().split('\n')) {
    const group = row.split(', ')
    for (const name of group) {
      const key = stemName(name)
      const others = group.filter((other) => other !== name)
      names.set(key, [...(names.get(key) ?? []), ...others.map(searchedStems)])
    }
  }
  return names
}

const OTHER_NAMES = readNames()

/** Synonyms and stop words for new indexes. Searches use the copy that is stored in the index. */
export const QUERY_WORDS: QueryWords = {
  stopWords: STOP_WORDS,
  otherNames: OTHER_NAMES,
  longestName: Math.max(...[...OTHER_NAMES.keys()].map((key) => key.split(' ').length)),
}
