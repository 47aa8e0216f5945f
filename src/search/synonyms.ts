import type { QueryWords } from './query.ts'
import { WEIGHTS } from './rank.ts'
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

/** Related terms whose vectors are not near each other: a skill with one term ranks higher in a search for another. */
export const NEAR_NAMES = `
login, authentication, auth, credential, oauth
authorization, permission, access control
password, secret, credential
encryption, cryptography
bug, defect, issue
debug, troubleshoot, diagnose, root cause
fix, repair, resolve
refactor, restructure, clean up
test, qa, quality assurance
unit test, tdd
lint, static analysis, code style
deploy, release, rollout, ship
hosting, deploy
migrate, upgrade, port
dependency, package, library
monorepo, workspace
kubernetes, helm, cluster
serverless, lambda
observability, monitoring, telemetry, tracing
alert, incident, on call
postmortem, retrospective
performance, optimization, speed, slow, latency
benchmark, load test
cron, schedule
queue, background job
webhook, callback
api, rest, endpoint
frontend, css, html
design system, component library, design tokens
mobile app, ios, android
iphone, ios, swift
scraping, crawler, web scraper
browser automation, headless browser, playwright, puppeteer, selenium
screen recording, screencast
sql, schema
data warehouse, analytics
data cleaning, data quality
vector search, semantic search, embedding, vector database
chatbot, assistant, conversational
agent, subagent
evaluation, eval, judge
sandbox, isolation, untrusted
cve, exploit
compliance, gdpr, regulation, audit
privacy, gdpr, personal data
payment, checkout, billing, invoice
ecommerce, online shop, store
blockchain, web3, smart contract
chart, plot, graph, visualization
dashboard, report
wireframe, mockup, prototype
logo, brand
image, picture, photo, illustration
drawing, sketch, art
video, movie, clip
gif, animation
music, song, audio
podcast, audio
spreadsheet, csv
document, file
note, knowledge base
knowledge base, wiki
documentation, docs, manual, readme
tutorial, guide, walkthrough, onboarding
blog post, article
press release, announcement
copywriting, marketing copy
proofread, copyedit, grammar
rewrite, paraphrase, humanize
summary, summarize, recap, digest
translate, translation, localization, internationalization
citation, reference, bibliography
literature review, systematic review
paper, publication, manuscript
research, investigate
survey, questionnaire
user interview, user research
persona, customer profile
roadmap, strategy
prioritize, backlog
ticket, issue tracker, jira
kanban, board, trello
sprint, scrum, agile
todo, task, checklist
calendar, appointment, schedule
meeting, minutes, standup
minutes, meeting notes, transcript
chat, message, messaging
social media, social post, linkedin, twitter
newsletter, email marketing
advertising, ads, campaign
landing page, website
growth, marketing
customer, client
churn, retention
pricing, monetization
sales, selling, outreach
go to market, product launch, launch strategy
lead generation, prospecting
hiring, recruiting, recruitment
resume, job application, cover letter
job description, job posting
contract, agreement
legal, lawyer, law
finance, financial, accounting
budget, forecast
forecast, prediction, time series
stock, trading, investment
regression, statistical model
genomics, dna, sequencing
protein, proteomics
molecule, cheminformatics
clinical, medical, healthcare
map, geospatial
game, unity, godot
specification, requirements
runbook, playbook, standard operating procedure
powershell, shell script
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

const NAME_TABLES = [
  { rows: SAME_NAMES, weight: WEIGHTS.same },
  { rows: NEAR_NAMES, weight: WEIGHTS.related },
] as const

const stemName = (name: string): string => name.split(' ').map(stemWord).join(' ')

const toOtherName = (name: string, weight: number): [number, ...string[]] => [
  weight,
  ...name
    .split(' ')
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemWord),
]

const readNames = () => {
  const names = new Map<string, ReturnType<typeof toOtherName>[]>()
  for (const { rows, weight } of NAME_TABLES)
    for (const row of rows.trim().split('\n')) {
      const group = row.split(', ')
      for (const name of group) {
        const key = stemName(name)
        const others = group.filter((other) => other !== name)
        const known = names.get(key) ?? []
        names.set(key, [...known, ...others.map((other) => toOtherName(other, weight))])
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
