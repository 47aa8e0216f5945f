/** A message from a reader to the curators. Fields that are known are filled in. */
interface ContactRequest {
  /** Name of the issue template that `init` writes for it. */
  template: 'propose' | 'report'
  title: string
  body: string
  /** Slug of the skill that the message is about. */
  slug?: string
  version?: string | undefined
}

/** How to fill in the new-issue form of a repository host. */
interface IssueForm {
  /** Matches the address of a repository or of its issues; the first group is the repository. */
  pattern: RegExp
  place: string
  fill: (request: ContactRequest) => Record<string, string | undefined>
}

const FORMS: readonly IssueForm[] = [
  {
    pattern:
      /^(https:\/\/github\.com\/[^/]+\/[^/]+?)(?:\.git)?(?:\/issues(?:\/new(?:\/choose)?)?)?\/?$/,
    place: '/issues/new',
    // GitHub uses the body if the repository does not have the template.
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

/** Returns the new-issue form if the contact is a repository, else the contact's address with title and body added. */
export const contactAddress = (contact: string, request: ContactRequest): string => {
  const { title, body } = request
  const found = findForm(contact)
  const address = new URL(found ? found.repository + found.form.place : contact)
  for (const [name, value] of Object.entries(found?.form.fill(request) ?? { title, body }))
    if (value !== undefined) address.searchParams.set(name, value)
  return address.href
}

/** Returns the address where readers propose a skill; undefined unless the contact is a repository. */
export const proposalAddress = (contact: string | undefined): string | undefined => {
  if (contact === undefined || !findForm(contact)) return undefined
  const body = 'Where it is:\n\nWhat it does, and who would use it:\n'
  return contactAddress(contact, { template: 'propose', title: 'Propose a skill: ', body })
}
