/** A request of a reader to the curators, filled in as far as it is known. */
interface ContactRequest {
  /** The template of `init` that asks for it. */
  template: 'propose' | 'report'
  title: string
  body: string
  /** Of the skill that it is about. */
  slug?: string
  version?: string | undefined
}

/** A host of repositories: how its form for a new issue is filled in. */
interface IssueForm {
  /** The address of a repository, or of its issues; the repository is the first group. */
  pattern: RegExp
  place: string
  fill: (request: ContactRequest) => Record<string, string | undefined>
}

const FORMS: readonly IssueForm[] = [
  {
    pattern:
      /^(https:\/\/github\.com\/[^/]+\/[^/]+?)(?:\.git)?(?:\/issues(?:\/new(?:\/choose)?)?)?\/?$/,
    place: '/issues/new',
    // Without that template, GitHub takes the body.
    fill: ({ template, ...request }) => ({ template: `${template}.yml`, ...request }),
  },
  {
    pattern:
      /^(https:\/\/gitlab\.[^/]+(?:\/[^/]+)+?\/[^/]+?)(?:\.git)?(?:\/-\/issues(?:\/new)?)?\/?$/,
    place: '/-/issues/new',
    fill: ({ title, body }) => ({ 'issue[title]': title, 'issue[description]': body }),
  },
]

const findForm = (contact: string): { repository: string; form: IssueForm } | undefined => {
  const [place = ''] = contact.split(/[?#]/)
  const form = FORMS.find(({ pattern }) => pattern.test(place))
  const repository = form?.pattern.exec(place)?.[1]
  return form && repository !== undefined ? { repository, form } : undefined
}

/** The address where a request is written: the form of a repository's host, or any other, which gets title and text. */
export const contactAddress = (contact: string, request: ContactRequest): string => {
  const { title, body } = request
  const found = findForm(contact)
  const address = new URL(found ? found.repository + found.form.place : contact)
  for (const [name, value] of Object.entries(found?.form.fill(request) ?? { title, body }))
    if (value !== undefined) address.searchParams.set(name, value)
  return address.href
}

/** The address where a skill is proposed; undefined unless the contact is a repository. */
export const proposalAddress = (contact: string | undefined): string | undefined => {
  if (contact === undefined || !findForm(contact)) return undefined
  const body = 'Where it is:\n\nWhat it does, and who would use it:\n'
  return contactAddress(contact, { template: 'propose', title: 'Propose a skill: ', body })
}
