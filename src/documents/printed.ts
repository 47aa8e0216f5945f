import { drawFigure } from './figure.ts'
import { openProse } from './prose.ts'
import { renderData } from './structured-data.ts'

/** What a page is viewed with where the build prints it. */
export const PRINTED = { openProse, renderData, drawFigure }
